import { h, type Child } from "../shared/dom";

/** Where the links lead that a note defines by a label, in lower case, apart from where it uses them. */
export type Definitions = ReadonlyMap<string, string>;

/** What begins something in a line: nothing else need be looked at. */
const NEXT = /[\\`*_~=[!<$%\n]|(?<![\p{L}\p{N}_])(?:https?:\/\/|www\.)/gu;
const ESCAPED = /\\([!-/:-@[-`{-~])/y;
const LINE_BREAK = /\\\n|\n/y;
const CODE = /(`+)(?!`)([^]*?[^`])\1(?!`)/y;
const WIKILINK = /(!?)\[\[([^[\]\n|]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/y;
const MARKING = /==(?=\S)([^=\n]{1,300})==/y;
const COMMENT = /%%[^%]*%%|<!--[^]*?-->/y;
/** Money is no formula: no blank inside the marks, no digit behind them. */
const FORMULA = /\$(?![\s$])((?:\\.|[^$\\\n]){1,1000}?)(?<!\s)\$(?!\d)/y;
const FORMULA_BLOCK = /\$\$([^]{1,5000}?)\$\$/y;
const ANGLE_LINK = /<(https?:\/\/[^\s<>]*)>/iy;
const BARE_LINK = /(?:https?:\/\/|www\.)[^\s<]*[^\s<?!.,:;*_~'")\]]/iy;
const TAG = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/iy;
const TARGET =
	/\(\s*(?:<([^<>\n]*)>|((?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*))(?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))?\s*\)/y;
const LABEL = /\[([^[\]]*)\]/y;
const IS_NOTE = /^(?:[^.]*|.*\.md|.*\.\s.*|.*\.[^.]{6,})$/i;
const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const BLANK = /^\s?$/;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const TAGS = { "*": ["em", "strong"], _: ["em", "strong"], "~": ["del", "del"] } as const;

/** Asterisks and their likes, which may begin or end an emphasis. */
interface Run {
	sign: keyof typeof TAGS;
	length: number;
	opens: boolean;
	closes: boolean;
}

/** The running text of a note as text and elements: Markdown's emphasis, code and links (CommonMark 0.31, GFM), and Obsidian's own notation. */
export function spans(text: string, links: Definitions, isInLink = false): Child[] {
	return new Line(text, links, isInLink).read();
}

/** Without the escapes and the commonest entities. */
export function plainText(text: string): string {
	return withEntities(text.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
}

class Line {
	private readonly parts: (Child | Run)[] = [];
	/** For each opening bracket the one that closes it. */
	private readonly closing: ReadonlyMap<number, number>;

	constructor(
		private readonly text: string,
		private readonly links: Definitions,
		private readonly isInLink: boolean,
	) {
		this.closing = bracketsOf(text);
	}

	read(): Child[] {
		const { text, parts } = this;
		let at = 0;
		while (at < text.length) {
			NEXT.lastIndex = at;
			const next = NEXT.exec(text)?.index ?? text.length;
			this.add(withEntities(text.slice(at, next)));
			at = next < text.length ? this.special(next) : next;
		}
		return emphasized(parts);
	}

	private add(part: Child): void {
		const last = this.parts.at(-1);
		if (typeof part === "string" && typeof last === "string") this.parts[this.parts.length - 1] = last + part;
		else this.parts.push(part);
	}

	/** Read what begins here. Returns where it ends. */
	private special(at: number): number {
		const take = (pattern: RegExp, make: (match: RegExpExecArray) => Child): boolean => {
			pattern.lastIndex = at;
			const match = pattern.exec(this.text);
			if (!match) return false;
			at += match[0].length;
			this.add(make(match));
			return true;
		};
		const isRead =
			take(ESCAPED, ([, sign = ""]) => sign) ||
			take(LINE_BREAK, (match) => this.lineBreak(match)) ||
			take(CODE, ([, , code = ""]) => h("code", {}, codeText(code))) ||
			take(WIKILINK, wikilink) ||
			take(MARKING, ([, marked = ""]) => h("strong", { class: "sj-marking" }, ...spans(marked, this.links))) ||
			take(COMMENT, () => null) ||
			take(FORMULA_BLOCK, ([, formula = ""]) => math(formula, " is-block")) ||
			take(FORMULA, ([, formula = ""]) => math(formula, "")) ||
			take(ANGLE_LINK, ([, href = ""]) => this.bare(href)) ||
			take(BARE_LINK, ([shown]) => this.bare(shown)) ||
			take(TAG, ([tag]) => /^<br[\s/>]/i.test(tag) && h("br"));
		if (isRead) return at;
		return this.link(at) ?? this.run(at) ?? this.literally(at);
	}

	/** An address that stands for itself; in a link, a part of what that reads. */
	private bare(address: string): Child {
		return this.isInLink ? address : linkTo(address.replace(/^www/i, "http://www"), [address]);
	}

	/** Two blanks before the end of a line, or a backslash, break it. */
	private lineBreak({ 0: raw, index }: RegExpExecArray): Child {
		return raw !== "\n" || this.text.slice(0, index).endsWith("  ") ? h("br") : "\n";
	}

	/** A link or picture, by an address or a label. */
	private link(at: number): number | null {
		const { text, links } = this;
		const isPicture = text[at] === "!";
		const open = isPicture ? at + 1 : at;
		const close = this.closing.get(open);
		if (text[open] !== "[" || close === undefined) return null;
		const shown = text.slice(open + 1, close);
		TARGET.lastIndex = LABEL.lastIndex = close + 1;
		const target = TARGET.exec(text);
		const label = target ? null : LABEL.exec(text);
		const href = target ? (target[1] ?? target[2] ?? "") : links.get((label?.[1] || shown).trim().toLowerCase());
		if (href === undefined) return null;
		const address = plainText(href);
		this.parts.push(
			isPicture
				? h("span", { class: "sj-wikilink", text: plainText(shown) || address })
				: linkTo(address, spans(shown, links, true)),
		);
		return close + 1 + (target ?? label ?? [""])[0].length;
	}

	private run(at: number): number | null {
		const { text } = this;
		const sign = text[at];
		if (sign !== "*" && sign !== "_" && sign !== "~") return null;
		let end = at;
		while (text[end] === sign) end += 1;
		if (sign === "~" && end - at > 2) return null;
		const [before, after] = [text.charAt(at - 1), text.charAt(end)];
		const isLeft =
			!BLANK.test(after) && (!PUNCTUATION.test(after) || BLANK.test(before) || PUNCTUATION.test(before));
		const isRight =
			!BLANK.test(before) && (!PUNCTUATION.test(before) || BLANK.test(after) || PUNCTUATION.test(after));
		const isInWord = sign === "_" && isLeft && isRight;
		this.parts.push({
			sign,
			length: end - at,
			opens: isLeft && (!isInWord || PUNCTUATION.test(before)),
			closes: isRight && (!isInWord || PUNCTUATION.test(after)),
		});
		return end;
	}

	/** Signs that begin nothing; backticks that nothing closes all at once. */
	private literally(at: number): number {
		const [signs = ""] = /^(?:`+|.)/s.exec(this.text.slice(at, at + 1_000)) ?? [];
		this.add(signs);
		return at + signs.length;
	}
}

/** Pairs of brackets, those in code and escaped ones left out. */
function bracketsOf(text: string): Map<number, number> {
	const pairs = new Map<number, number>();
	const open: number[] = [];
	for (const { 0: sign, index } of text.matchAll(/\\.|(`+)(?!`)[^]*?[^`]\1(?!`)|`+|[[\]]/g)) {
		if (sign === "[") open.push(index);
		const from = sign === "]" ? open.pop() : undefined;
		if (from !== undefined) pairs.set(from, index);
	}
	return pairs;
}

/** Each run that ends an emphasis with the nearest one before it that may begin it (CommonMark 6.2); the others are text. */
function emphasized(parts: (Child | Run)[]): Child[] {
	const done: (Child | Run)[] = [];
	for (const part of parts) {
		if (!isRun(part)) {
			done.push(part);
			continue;
		}
		for (let at = part.closes ? done.length - 1 : -1; at >= 0 && part.length > 0; at -= 1) {
			const opener = done[at];
			if (!isRun(opener) || !pairs(opener, part)) continue;
			const used = part.sign === "~" ? part.length : Math.min(2, opener.length, part.length);
			const inside = done.splice(at + 1).map(asText);
			opener.length -= used;
			part.length -= used;
			if (opener.length === 0) done.pop();
			done.push(h(TAGS[part.sign][used === 1 ? 0 : 1], {}, ...inside));
			at = done.length;
		}
		if (part.length > 0) done.push(part);
	}
	return done.map(asText);
}

function pairs(opener: Run, closer: Run): boolean {
	if (!opener.opens || opener.sign !== closer.sign) return false;
	if (opener.sign === "~") return opener.length === closer.length;
	const isOfThree = (opener.length + closer.length) % 3 === 0 && (opener.length % 3 !== 0 || closer.length % 3 !== 0);
	return !((opener.closes || closer.opens) && isOfThree);
}

function isRun(part: Child | Run | undefined): part is Run {
	return typeof part === "object" && part !== null && "opens" in part;
}

function asText(part: Child | Run): Child {
	return isRun(part) ? part.sign.repeat(part.length) : part;
}

function codeText(code: string): string {
	const line = code.replaceAll("\n", " ");
	return /^ .* $/.test(line) && line.trim() !== "" ? line.slice(1, -1) : line;
}

function withEntities(text: string): string {
	return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

function math(formula: string, kind: string): HTMLElement {
	return h("code", { class: `sj-math${kind}`, text: formula.trim(), attrs: { dir: "ltr" } });
}

/** What leads to a note is a button that names it; whoever shows the text follows it. */
function wikilink([, mark, named = "", alias]: RegExpExecArray): HTMLElement {
	const shown = alias ?? named;
	const [name = "", ...below] = named.split("#");
	const target = name.replace(/\^.*$/, "").trim();
	const heading = (below.at(-1) ?? "").replace(/^\^.*$/, "").trim();
	if (target === "" || (mark === "!" && !IS_NOTE.test(target)))
		return h("span", { class: "sj-wikilink", text: shown });
	const part = { "data-heading": heading || undefined };
	if (mark !== "!")
		return h("button", { class: "sj-wikilink", text: shown, attrs: { "data-note": target, ...part } });
	return h(
		"span",
		{ class: "sj-embed", attrs: { "data-embed": target, ...part } },
		h("span", { class: "sj-wikilink", text: shown }),
	);
}

function linkTo(href: string, children: readonly Child[]): HTMLElement {
	if (/^https?:\/\//i.test(href))
		return h("a", { attrs: { href, target: "_blank", rel: "noopener noreferrer" }, title: href }, ...children);
	const [path = "", part = ""] = href.split("#").map(decoded);
	if (!/^[^:]+\.md$/i.test(path)) return h("span", { class: "sj-wikilink" }, ...children);
	const attrs = { "data-note": path, "data-heading": part || undefined };
	return h("button", { class: "sj-wikilink", attrs }, ...children);
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part; // a "%" that encodes nothing
	}
}
