import type { Span } from "../../api/words";

export interface Segment {
	text: string;
	hit: boolean;
}

/**
 * Cut a text at its highlights.
 *
 * Spans count Unicode code points, JavaScript strings UTF-16 units; an emoji is one of the first and two of the second.
 * Spans may come unsorted, overlap or reach past the end: the segments, joined, always give the text back.
 */
export function segments(text: string, highlights: readonly Span[]): Segment[] {
	const points = Array.from(text);
	const parts: Segment[] = [];
	let at = 0;
	for (const [from, to] of [...highlights].sort((a, b) => a[0] - b[0])) {
		const start = Math.max(at, from);
		const end = Math.min(points.length, to);
		if (end <= start) continue;
		if (start > at) parts.push({ text: points.slice(at, start).join(""), hit: false });
		parts.push({ text: points.slice(start, end).join(""), hit: true });
		at = end;
	}
	if (at < points.length) parts.push({ text: points.slice(at).join(""), hit: false });
	return parts;
}

const IN_WORD = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts that put no spaces between words: there, a match may begin and end anywhere. */
const UNSPACED =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Cut a text at every occurrence of one of the words, letter for letter, that is not a part of a longer word. */
export function markWords(text: string, words: readonly string[]): Segment[] {
	if (words.length === 0) return [{ text, hit: false }];
	const longestFirst = [...words].sort((a, b) => b.length - a.length);
	const pattern = new RegExp(
		`(${longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
	);
	const parts = text.split(pattern);
	return parts
		.map((part, index) => ({
			text: part,
			hit: index % 2 === 1 && isWhole(parts[index - 1] ?? "", part, parts[index + 1] ?? ""),
		}))
		.filter((part) => part.text !== "");
}

function isWhole(before: string, word: string, after: string): boolean {
	if (/^\p{M}/u.test(after)) return false; // a sign that belongs to the word's last letter
	if (UNSPACED.test(word)) return true;
	return !IN_WORD.test(before.slice(-1)) && !IN_WORD.test(after.slice(0, 1));
}
