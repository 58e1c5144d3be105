/** What begins something inside a line that is no running text. */
const OPENERS = /[`$[<#:%]/g;
const FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)$/;
/** Links to a heading would lose it, and to a definition break it. */
const NO_TEXT = /^#{1,6}[ \t]|^[ \t]*\[[^\]]*\]:/;
const SPANS: readonly (readonly [open: string, close: string])[] = [
	["%%", "%%"],
	["<!--", "-->"],
	["$$", "$$"],
];

/**
 * A note's text with all that is no running text replaced by NUL, unit by unit: frontmatter, code, formulas, comments, links, tags,
 * addresses, headings. A link there would break it, or is one already. Read once from beginning to end, however odd the text.
 */
export function proseOf(text: string): string {
	const prose = new Prose(text);
	let at = frontmatterEnd(text);
	prose.take(0, at);
	while (at < text.length) {
		const end = lineEnd(text, at);
		const fence = FENCE.exec(text.slice(at, end));
		if (fence && !(fence[1]?.startsWith("`") && fence[2]?.includes("`"))) {
			const after = fenceEnd(text, end + 1, fence[1] ?? "");
			prose.take(at, after);
			at = after;
		} else at = NO_TEXT.test(text.slice(at, end)) ? prose.take(at, end) + 1 : prose.readLine(at, end) + 1;
	}
	return prose.toString();
}

class Prose {
	private readonly parts: string[] = [];
	private kept = 0;
	/** What was looked for behind a place and found there, or nowhere: the next look begins where that ended. */
	private readonly found = new Map<string, number>();

	constructor(private readonly text: string) {}

	/** What is between is no running text. Returns where it ends. */
	take(start: number, end: number): number {
		this.parts.push(this.text.slice(this.kept, start), "\0".repeat(Math.max(0, end - start)));
		this.kept = Math.max(start, end);
		return end;
	}

	/** Returns where the line ends; the last one, where something in it goes on in others. */
	readLine(start: number, end: number): number {
		this.found.clear();
		for (let at = start; ;) {
			OPENERS.lastIndex = at;
			const opener = OPENERS.exec(this.text)?.index ?? end;
			if (opener >= end) return end;
			at = Math.max(this.spanAt(opener) ?? this.inlineEnd(opener, start, end), opener + 1);
			if (at <= end) continue;
			start = at;
			end = lineEnd(this.text, at);
			this.found.clear();
		}
	}

	toString(): string {
		return this.parts.join("") + this.text.slice(this.kept);
	}

	/** Where something that may span lines ends, taken out; null where none begins here. */
	private spanAt(start: number): number | null {
		const span = SPANS.find(([open]) => this.text.startsWith(open, start));
		if (!span) return null;
		const [open, close] = span;
		const end = this.next(close, start + open.length, this.text.length);
		return end < 0 ? start + open.length : this.take(start, end + close.length);
	}

	/** Where what begins here in this line ends, taken out; the place itself where it is text. */
	private inlineEnd(at: number, start: number, end: number): number {
		const { text } = this;
		const next = (what: string, from: number): number => this.next(what, from, end);
		switch (text[at]) {
			case "`": {
				const code = text.slice(at, runEnd(text, at));
				let close = next(code, at + code.length);
				// A longer run closes nothing.
				while (close >= 0 && text[close + code.length] === "`") close = next(code, runEnd(text, close));
				return close < 0 ? at + code.length : this.take(at, close + code.length);
			}
			case "$": {
				const close = next("$", at + 1);
				const isFormula = close > at + 1 && /\S/.test(text[at + 1] ?? "") && /\S/.test(text[close - 1] ?? "");
				return isFormula ? this.take(at, close + 1) : at;
			}
			case "[": {
				const close = next("]", at + 1);
				const behind = close < 0 ? "" : (text[close + 1] ?? "");
				if (text[at + 1] === "[" && behind === "]") return this.take(at, close + 2);
				const last = behind === "(" ? next(")", close) : behind === "[" ? next("]", close + 1) : -1;
				return last < 0 ? at : this.take(at, last + 1);
			}
			case "<": {
				const close = /[a-z/]/i.test(text[at + 1] ?? "") ? next(">", at + 1) : -1;
				return close < 0 ? at : this.take(at, close + 1);
			}
			case "#":
				return at > start && /\S/.test(text[at - 1] ?? "")
					? at
					: this.take(at, wordEnd(text, at + 1, end, /[\s#]/));
			case ":":
				return text.startsWith("://", at)
					? this.take(schemeStart(text, at, this.kept), wordEnd(text, at, end, /[\s)>\]]/))
					: at;
			default:
				return at;
		}
	}

	/** Where `what` is next, before `end`; -1 for nowhere. */
	private next(what: string, from: number, end: number): number {
		const known = this.found.get(what) ?? -2;
		if (known === -1 || known >= from) return known < end ? known : -1;
		const at = this.text.indexOf(what, from);
		this.found.set(what, at);
		return at < end ? at : -1;
	}
}

/** Where a run of backticks ends. */
function runEnd(text: string, at: number): number {
	while (text[at] === "`") at += 1;
	return at;
}

function lineEnd(text: string, from: number): number {
	const end = text.indexOf("\n", from);
	return end < 0 ? text.length : end;
}

function frontmatterEnd(text: string): number {
	if (!/^---\r?\n/.test(text)) return 0;
	const close = /\n---[ \t]*(?:\r?\n|$)/g;
	close.lastIndex = 3;
	const found = close.exec(text);
	return found ? found.index + found[0].length : 0;
}

/** Behind the line that closes a fence; one that is never closed goes on to the end. */
function fenceEnd(text: string, from: number, mark: string): number {
	for (let at = from; at < text.length;) {
		const end = lineEnd(text, at);
		const line = text
			.slice(at, end)
			.replace(/^[ \t>]+/, "")
			.trimEnd();
		if (line.startsWith(mark) && line === (mark[0] ?? "").repeat(line.length))
			return Math.min(text.length, end + 1);
		at = end + 1;
	}
	return text.length;
}

function wordEnd(text: string, from: number, end: number, stop: RegExp): number {
	let at = from;
	while (at < end && !stop.test(text[at] ?? "")) at += 1;
	return at;
}

function schemeStart(text: string, colon: number, least: number): number {
	let at = colon;
	while (at > least && /[a-z\d+.-]/i.test(text[at - 1] ?? "")) at -= 1;
	return at;
}
