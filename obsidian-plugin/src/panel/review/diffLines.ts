import type { PreviewReply } from "../../api/wire";
import { say } from "../../words/say";
import { h, muted } from "../shared/dom";

const CLASSES: Record<string, string> = { "+": "sj-diff-added", "-": "sj-diff-removed", "@": "sj-diff-place" };

/** What yes would change: of each note its name, the lines that go (-) and those that come (+). */
export function diffLines({ changes, files, refused }: PreviewReply): HTMLElement {
	if (refused !== "") return muted(say("review.refused", { reason: refused }));
	if (files.length === 0) return muted(say("review.hint"));
	const nameOf = (path: string, to: string): string =>
		to === path ? path : changes.length === 0 ? `− ${to}\n+ ${path}` : say("review.moves", { path, to });
	const parts = files.flatMap(({ path, to, diff }) => [
		h("div", { class: "sj-diff-note", text: nameOf(path, to) }),
		...lines(diff),
	]);
	return h(
		"div",
		{
			class: "sj-finding-lines sj-diff",
			attrs: { role: "group", "aria-label": say("review.diff"), tabindex: 0, dir: "auto" },
		},
		...parts,
	);
}

function lines(diff: string): HTMLElement[] {
	const shown = diff.split("\n").filter((line) => line !== "" && !/^(---|\+\+\+) [ab]\//.test(line));
	return shown.map((line) => {
		const tag = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "div";
		return h(tag, { class: CLASSES[line.charAt(0)] ?? "", text: line });
	});
}
