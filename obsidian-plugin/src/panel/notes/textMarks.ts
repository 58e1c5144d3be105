import { h } from "../shared/dom";
import { markWords } from "../shared/highlight";

/** What reads as one text: a sentence never goes beyond it. */
const BLOCK = [
	"p",
	"li",
	"td",
	"th",
	"h1",
	"h2",
	"h3",
	"h4",
	"h5",
	"h6",
	"dt",
	"dd",
	"pre",
	"blockquote",
	"summary",
	".sj-callout-title",
].join();
/** Drawn from other signs than it shows, or read as a picture. */
const NOT_TEXT = ["svg", "math", "mjx-container", "script", "style", ".sj-embed", ".internal-embed"].join();
const SENTENCE_END = /[.!?…]+["'”’)\]]*(?=\s|$)|[。！？]+["'”’」』）]*|\n/g;

/** Mark the words wherever they stand in the text of an element. Returns the marks in the order of the text. */
export function markIn(root: Element, words: readonly string[]): HTMLElement[] {
	if (words.length === 0) return [];
	const marks: HTMLElement[] = [];
	for (const node of textNodes(root)) {
		const parts = markWords(node.data, words);
		if (!parts.some(({ hit }) => hit)) continue;
		const pieces = parts.map(({ text, hit }) => (hit ? h("mark", { class: "sj-mark", text }) : text));
		marks.push(...pieces.filter((piece) => piece instanceof HTMLElement));
		node.replaceWith(...pieces);
	}
	return marks;
}

/** Mark the sentence that holds the most different of the marked words, the first of equals. Returns what was marked. */
export function markSentence(marks: readonly HTMLElement[]): HTMLElement[] {
	let best: { block: Element; start: number; end: number; worth: number } | null = null;
	for (const block of new Set(marks.map((mark) => mark.closest(BLOCK)))) {
		if (!block) continue;
		const own = marks
			.filter((mark) => mark.closest(BLOCK) === block)
			.map((mark) => ({ word: mark.textContent?.toLowerCase() ?? "", at: offsetIn(block, mark) }));
		for (const [start, end] of sentences(block.textContent ?? "")) {
			const inside = own.filter(({ at }) => at >= start && at < end).map(({ word }) => word);
			const worth = new Set(inside).size + inside.length / 1_000;
			if (inside.length > 0 && worth > (best?.worth ?? 0)) best = { block, start, end, worth };
		}
	}
	return best ? wrap(best.block, best.start, best.end) : [];
}

/** Start and end of each sentence, the blanks between them left out. */
export function sentences(text: string): [start: number, end: number][] {
	const ends = [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
	const starts = [0, ...ends];
	return starts
		.map((start, index): [number, number] => {
			const part = text.slice(start, ends[index] ?? text.length);
			return [start + part.length - part.trimStart().length, start + part.trimEnd().length];
		})
		.filter(([start, end]) => end > start);
}

function wrap(block: Element, start: number, end: number): HTMLElement[] {
	const wrapped: HTMLElement[] = [];
	let at = 0;
	for (const node of textNodes(block)) {
		const [from, until] = [Math.max(start, at) - at, Math.min(end, at + node.length) - at];
		at += node.length;
		if (until <= from) continue;
		const rest = node.splitText(from);
		rest.splitText(until - from);
		const span = h("span", { class: "sj-sentence" });
		rest.replaceWith(span);
		span.append(rest);
		wrapped.push(span);
	}
	return wrapped;
}

/** How many UTF-16 units of a block's text stand before an element in it. */
export function offsetIn(block: Element, element: Element): number {
	let offset = 0;
	for (const node of textNodes(block)) {
		if (element.contains(node)) return offset;
		offset += node.length;
	}
	return offset;
}

function textNodes(root: Element): Text[] {
	const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	const nodes: Text[] = [];
	for (let node = walker.nextNode(); node; node = walker.nextNode())
		if (!node.parentElement?.closest(NOT_TEXT)) nodes.push(node as Text);
	return nodes;
}
