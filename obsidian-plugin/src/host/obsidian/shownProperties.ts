import type { FileDiff } from "../../api/wire";

/** A part of a text, in UTF-16 units, and what stands there afterwards. */
export interface Edit {
	start: number;
	end: number;
	after: string;
}

export const LINE_END = /\r\n|\r|\n/g;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;
/** In its place stood a credential when the diff was made. */
const HIDDEN = "[REDACTED";

/** The text's lines without their ends, and where each begins; a byte order mark is before the first. */
function linesOf(text: string): { lines: string[]; starts: number[] } {
	const from = text.startsWith("\uFEFF") ? 1 : 0;
	const ends = [...text.slice(from).matchAll(LINE_END)].map(({ index, 0: end }) => from + index + end.length);
	const starts = [from, ...ends];
	return { lines: text.slice(from).split(LINE_END), starts };
}

/** How many lines the properties take, with the lines around them; 0: there are none. */
function propertyLines(lines: readonly string[]): number {
	if (lines[0]?.trimEnd() !== "---") return 0;
	return lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---") + 1;
}

/**
 * What a diff that was shown changes in a note's properties, to be written as it was shown; null where the note is not the
 * one that the diff is of. Of the text below, nothing is compared or changed.
 */
export function shownProperties(text: string, { diff }: Pick<FileDiff, "diff">): Edit[] | null {
	const { lines, starts } = linesOf(text);
	const last = propertyLines(lines);
	const end = text.match(LINE_END)?.[0] ?? "\n";
	const edits: Edit[] = [];
	let at = 0;
	let fences = 0;
	let isInHunk = false;
	for (const line of diff.split("\n")) {
		const place = HUNK.exec(line);
		if (place) {
			at = Number(place[1]) - (place[2] === "0" ? 0 : 1);
			isInHunk = true;
			continue;
		}
		const [sign, said] = [line.charAt(0), line.slice(1)];
		const start = starts[at] ?? text.length;
		const isProperty = last > 0 ? at < last : sign === "+" && at === 0 && fences < 2;
		if (isInHunk && isProperty && (sign === "+" || sign === "-") && said.includes(HIDDEN)) return null;
		if (isInHunk && isProperty && sign === "+") edits.push({ start, end: start, after: said + end });
		if (isInHunk && isProperty && said === "---") fences += 1;
		if (!isInHunk || (sign !== "-" && sign !== " ")) continue;
		if (isProperty && lines[at] !== said && !said.includes(HIDDEN)) return null;
		at += 1;
		if (isProperty && sign === "-") edits.push({ start, end: starts[at] ?? text.length, after: "" });
	}
	return last > 0 || fences === 2 ? edits : null;
}
