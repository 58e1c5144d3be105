import { h, type Child } from "./dom";
import { folderOf } from "./format";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * A path whose parts stand in their order from left to right, each in its own direction of writing. As one text, two Hebrew
 * folders would change places.
 */
export function pathWords(path: string): Child[] {
	if (!RIGHT_TO_LEFT.test(path)) return [path];
	return path.split("/").flatMap((part, index) => [index > 0 && "/", h("bdi", { text: part })]);
}

/** The folder of a note and another fact of it on one line; what is "" is left out. */
export function folderAnd(path: string, fact: string | HTMLElement): Child[] {
	const folder = folderOf(path);
	return [...pathWords(folder), folder !== "" && fact !== "" && " · ", fact];
}

/** The path that a link leads to from the note at `path`: both with "/", from the vault on. */
export function pathBeside(path: string, link: string): string {
	const steps = link.startsWith("/") ? [] : path.split("/").slice(0, -1);
	for (const step of link.split("/")) {
		if (step === "..") steps.pop();
		else if (step !== "." && step !== "") steps.push(step);
	}
	return steps.join("/");
}
