import { say } from "../../words/say";
import { h } from "../shared/dom";
import { spans, type Definitions } from "./inlineMarkdown";

const BLOCK_ID = /\s\^[A-Za-z0-9-]+$/gm;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const QUOTED = /^ {0,3}> ?/;
const INDENTED = /^ {4}/;
const ITEM = /^( {0,3})([-*+]|(\d{1,9})[.)])(?:( +)(.*)| *)$/;
const TASK = /^\[([ xX])\] +/;
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const DEFINITION =
	/^ {0,3}\[((?:\\.|[^[\]\\])+)\]:[ \t]*(?:<([^<>]*)>|(\S+))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;
/** HTML that goes on to what closes it, and HTML that goes on to a blank line. */
const CLOSED_HTML = /^ {0,3}<(?:(script|pre|style|textarea)(?=[\s>]|$)|!--|\?|![a-z])/i;
const HTML =
	/^ {0,3}<\/?(?:address|article|aside|blockquote|body|br|center|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|img|legend|li|link|main|menu|meta|nav|ol|p|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)|^ {0,3}<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>[ \t]*$/i;
const CALL_OUT = /^\s*\[!([\w-]{1,30})\]([-+]?)[ \t]*/;
/** Kinds of call-outs by the colour that they have; others have the accent's. */
const TONES: Readonly<Record<string, readonly string[]>> = {
	good: ["tip", "hint", "success", "check", "done"],
	careful: ["warning", "caution", "attention", "question", "help", "faq"],
	bad: ["danger", "error", "bug", "failure", "fail", "missing"],
	quiet: ["quote", "cite"],
};

/**
 * A passage of a note as elements: CommonMark 0.31 with GFM's tables, tasks and links, and Obsidian's own notation.
 *
 * Nothing is loaded and nothing of the note becomes markup: pictures are named, HTML is left out, formulas stay as they
 * are written, links leave by the user's click alone, and only to the web. Where another note is embedded, an element
 * with `data-embed` (and `data-heading`) is left for whoever has notes to put it there.
 */
export function renderMarkdown(text: string): HTMLElement[] {
	const lines = text
		.replace(BLOCK_ID, "")
		.split(/\r\n?|\n/)
		.map(untabbed);
	const links = new Map<string, string>();
	for (const line of lines) {
		const [, label = "", bracketed, bare = ""] = DEFINITION.exec(line) ?? [];
		if (label !== "" && !links.has(label.trim().toLowerCase()))
			links.set(label.trim().toLowerCase(), bracketed ?? bare);
	}
	return new Blocks(lines, links).read();
}

/** Lines of a note, or of a part of it that stands by itself. */
class Blocks {
	private at = 0;

	constructor(
		private readonly lines: readonly string[],
		private readonly links: Definitions,
		/** Paragraphs of a list whose items follow each other closely are none. */
		private readonly isTight = false,
	) {}

	read(): HTMLElement[] {
		const found: (HTMLElement | null)[] = [];
		while (this.at < this.lines.length) found.push(this.line.trim() === "" ? this.next(null) : this.block());
		return found.filter((block) => block !== null);
	}

	private get line(): string {
		return this.lines[this.at] ?? "";
	}

	private block(): HTMLElement | null {
		const { line } = this;
		if (INDENTED.test(line)) return this.indented();
		const heading = HEADING.exec(line);
		if (FENCE.test(line)) return this.fence();
		if (heading) return this.heading(heading[1]?.length ?? 1, heading[2] ?? "");
		if (RULE.test(line)) return this.next(h("hr"));
		if (QUOTED.test(line)) return this.quotation();
		if (ITEM.test(line)) return this.list();
		if (CLOSED_HTML.test(line) || HTML.test(line)) return this.html();
		if (DEFINITION.test(line)) return this.next(null);
		return this.isTable(this.at) ? this.table() : this.paragraph();
	}

	/** The line is read. */
	private next<Block extends HTMLElement | null>(block: Block): Block {
		this.at += 1;
		return block;
	}

	/** The lines from here to one that `ends` them. */
	private take(ends: (line: string) => boolean): string[] {
		const from = this.at;
		while (this.at < this.lines.length && !ends(this.line)) this.at += 1;
		return this.lines.slice(from, this.at);
	}

	private heading(depth: number, text: string): HTMLElement {
		return this.next(h("h3", { attrs: { "data-depth": depth, dir: "auto" } }, ...spans(text, this.links)));
	}

	private code(lines: readonly string[]): HTMLElement {
		return h("pre", { attrs: { tabindex: "0" } }, h("code", {}, lines.join("\n")));
	}

	private indented(): HTMLElement {
		const lines = this.take((line) => line.trim() !== "" && !INDENTED.test(line)).map((line) => line.slice(4));
		while (lines.at(-1)?.trim() === "") lines.pop();
		return this.code(lines);
	}

	private fence(): HTMLElement {
		const [, indent = "", mark = ""] = FENCE.exec(this.line) ?? [];
		this.at += 1;
		const isClosing = (line: string): boolean => {
			const end = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1] ?? "";
			return end.length >= mark.length && end.startsWith(mark.charAt(0));
		};
		const lines = this.take(isClosing);
		this.at += 1;
		return this.code(lines.map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), "")));
	}

	/** Left out. */
	private html(): null {
		const closed = CLOSED_HTML.exec(this.line);
		const end = closed?.[1] ? `</${closed[1].toLowerCase()}>` : closed?.[0].endsWith("!--") ? "-->" : ">";
		this.take((line) => (closed ? line.toLowerCase().includes(end) : line.trim() === ""));
		if (closed) this.at += 1;
		return null;
	}

	private quotation(): HTMLElement {
		const lines = this.take((line) => !QUOTED.test(line) && !this.goesOn(this.at)).map((line) =>
			line.replace(QUOTED, ""),
		);
		const kind = CALL_OUT.exec(lines[0] ?? "");
		if (!kind) return h("blockquote", {}, ...new Blocks(lines, this.links).read());
		const [all, name = "", fold] = kind;
		const title = (lines[0] ?? "").slice(all.length).trim();
		const label = title === "" ? name.charAt(0).toUpperCase() + name.slice(1).toLowerCase() : title;
		const tone = Object.keys(TONES).find((each) => TONES[each]?.includes(name.toLowerCase()));
		const heading = spans(label, this.links);
		const body = new Blocks(lines.slice(1), this.links).read();
		const inside =
			fold === ""
				? [h("strong", { class: "sj-callout-title", attrs: { dir: "auto" } }, ...heading), ...body]
				: [
						h(
							"details",
							{ attrs: { open: fold === "+" } },
							h("summary", { attrs: { dir: "auto" } }, ...heading),
							...body,
						),
					];
		return h("blockquote", { class: "sj-callout", attrs: { "data-tone": tone } }, ...inside);
	}

	private list(): HTMLElement {
		const [, , marker = "", number] = ITEM.exec(this.line) ?? [];
		const items: string[][] = [];
		let item = ITEM.exec(this.line);
		while (item?.[2]?.endsWith(marker.slice(-1)) && !RULE.test(this.line)) {
			items.push(this.item(item));
			item = ITEM.exec(this.line);
		}
		const isTight = !items.some((lines, index) => isSpaced(lines, index === items.length - 1));
		const rows = items.map((lines) => this.row(lines, isTight));
		return number === undefined ? h("ul", {}, ...rows) : h("ol", { attrs: { start: Number(number) } }, ...rows);
	}

	/** The lines of an item without their indentation, blank ones behind them, too. */
	private item([, indent = "", marker = "", , blanks = " ", first = ""]: RegExpExecArray): string[] {
		const width = indent.length + marker.length + (blanks.length > 4 ? 1 : blanks.length);
		this.at += 1;
		const inside = new RegExp(`^ {${width}}`);
		const rest = this.take(
			(line) => line.trim() !== "" && !inside.test(line) && (ITEM.test(line) || !this.goesOn(this.at)),
		);
		return [
			" ".repeat(blanks.length > 4 ? blanks.length - 1 : 0) + first,
			...rest.map((line) => line.replace(inside, "")),
		];
	}

	private row(lines: readonly string[], isTight: boolean): HTMLElement {
		const [first = "", ...rest] = lines;
		const task = TASK.exec(first);
		const body = new Blocks([first.slice(task?.[0].length ?? 0), ...rest], this.links, isTight).read();
		const box = task && h("span", { class: "sj-task-box", text: task[1] === " " ? "☐" : "☑" });
		return h("li", { attrs: { dir: "auto" }, ...(task ? { class: "sj-task" } : {}) }, box, ...body);
	}

	/** Is the line the rest of a paragraph that began in the line before, without what it is marked by? */
	private goesOn(at: number): boolean {
		const before = this.lines[at - 1] ?? "";
		return before.trim() !== "" && !FENCE.test(before.replace(/^[ >]*/, "")) && !this.interrupts(at);
	}

	/** Does the line end a paragraph? */
	private interrupts(at: number): boolean {
		const line = this.lines[at] ?? "";
		const item = ITEM.exec(line);
		return (
			line.trim() === "" ||
			FENCE.test(line) ||
			HEADING.test(line) ||
			RULE.test(line) ||
			QUOTED.test(line) ||
			(item !== null && item[5] !== undefined && (item[3] === undefined || item[3] === "1")) ||
			CLOSED_HTML.test(line) ||
			this.isTable(at)
		);
	}

	private paragraph(): HTMLElement {
		const from = this.at;
		this.at += 1;
		while (this.at < this.lines.length && !UNDERLINE.test(this.line) && !this.interrupts(this.at)) this.at += 1;
		const text = this.lines
			.slice(from, this.at)
			.map((line) => line.trimStart())
			.join("\n")
			.trimEnd();
		const underline = UNDERLINE.exec(this.line)?.[1];
		if (underline !== undefined) return this.heading(underline.startsWith("=") ? 1 : 2, text);
		const words = spans(text, this.links);
		return this.isTight ? h("span", {}, ...words) : h("p", { attrs: { dir: "auto" } }, ...words);
	}

	private isTable(at: number): boolean {
		const [head = "", below = ""] = this.lines.slice(at, at + 2);
		return head.includes("|") && DELIMITERS.test(below) && cellsOf(head).length === cellsOf(below).length;
	}

	private table(): HTMLElement {
		const head = cellsOf(this.line);
		this.at += 2;
		const rows = this.take(
			(line) => line.trim() === "" || QUOTED.test(line) || FENCE.test(line) || HEADING.test(line),
		);
		const cells = (tag: "th" | "td", row: readonly string[]): HTMLElement =>
			h(
				"tr",
				{},
				...head.map((_, at) => h(tag, { attrs: { dir: "auto" } }, ...spans(row[at] ?? "", this.links))),
			);
		const body = h(
			"table",
			{},
			h("thead", {}, cells("th", head)),
			h("tbody", {}, ...rows.map((row) => cells("td", cellsOf(row)))),
		);
		const attrs = { tabindex: "0", role: "group", "aria-label": say("reader.table") };
		return h("div", { class: "sj-table", attrs }, body);
	}
}

/** Stands a blank line in an item, or between it and the next one? Not one in code or in a list in it. */
function isSpaced(lines: readonly string[], isLast: boolean): boolean {
	const isBefore = (index: number): boolean => {
		const next = lines.slice(index).find((line) => line.trim() !== "");
		return next === undefined ? !isLast : !/^ /.test(next) && !ITEM.test(next);
	};
	return (
		!lines.some((line) => FENCE.test(line)) &&
		lines.some((line, index) => line.trim() === "" && index > 0 && isBefore(index))
	);
}

function cellsOf(row: string): string[] {
	const inside = row
		.trim()
		.replace(/^\|/, "")
		.replace(/(?<!\\)\|$/, "");
	return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** The tabs that a line begins with as blanks up to every fourth column. */
function untabbed(line: string): string {
	const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
	let blanks = "";
	for (const sign of indent) blanks += sign === "\t" ? " ".repeat(4 - (blanks.length % 4)) : sign;
	return blanks + line.slice(indent.length);
}
