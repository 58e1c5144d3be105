import { isKey, say } from "../../words/say";
import type { IconName } from "./icons";

const NOTE = "note";

const ICONS: ReadonlyMap<string, IconName> = new Map([
	["pdf", "document"],
	["document", "document"],
	["slides", "slides"],
	["sheet", "sheet"],
	["book", "book"],
	["web", "web"],
	["canvas", "canvas"],
	["base", "sheet"],
	["drawing", "canvas"],
	["text", "document"],
	["notebook", "code"],
	["code", "code"],
	["image", "picture"],
	["media", "media"],
]);

/** All that this panel knows, as `kind:` names them. */
export const KINDS: readonly string[] = [NOTE, ...ICONS.keys()];

/** Is it a Markdown note? Daemons that know of nothing else do not say. */
export function isNote(kind: string | undefined): boolean {
	return kind === undefined || kind === NOTE;
}

/** Of a kind that this panel does not know yet: that of any document. */
export function iconOf(kind: string | undefined): IconName {
	return isNote(kind) ? "note" : (ICONS.get(kind ?? "") ?? "document");
}

/** The kind as its user reads it. */
export function kindWords(kind: string): string {
	const key = `kind.${kind}`;
	return isKey(key) ? (say as (key: string) => string)(key) : kind;
}

/** Where in a file something stands, in words: "page 3"; "" in a note, and where nobody knows. */
export function placeWords(kind: string | undefined, place: string | undefined): string {
	if (isNote(kind) || !place) return "";
	if (kind === "canvas") return say("place.card");
	const key = `place.${kind}`;
	const isNamed = kind === "sheet" || kind === "book" || /^\d+$/.test(place);
	return isNamed && isKey(key) ? (say as (key: string, values: { place: string }) => string)(key, { place }) : place;
}

/** What a link names after the file to lead to a place of it: "#page=3"; "" where Obsidian knows no such link. */
export function subpathIn(kind: string | undefined, place: string | undefined): string {
	return kind === "pdf" && place !== undefined && /^\d+$/.test(place) ? `#page=${place}` : "";
}
