import { Marked, type Token, type Tokens } from "marked";
import { h, type Child } from "../shared/dom";
import { markWords } from "../shared/highlight";

/** Obsidian's own notation, which Markdown does not know. */
interface Wikilink extends Tokens.Generic {
	type: "wikilink";
	shown: string;
	/** The note's name, without a heading in it. */
	target: string;
	isEmbed: boolean;
}

interface Marking extends Tokens.Generic {
	type: "marking";
	tokens: Token[];
}

const WIKILINK = /^(!?)\[\[([^[\]\n|]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/;
const MARKING = /^==(?=\S)([^=\n]{1,300})==/;
const COMMENT = /^%%[^%\n]*%%/;
const BLOCK_ID = /\s\^[A-Za-z0-9-]+$/gm;
const CALL_OUT = /^\s*\[!([\w-]{1,30})\][-+]?[ \t]*/;

const parser = new Marked({ gfm: true }).use({
	extensions: [
		{
			name: "wikilink",
			level: "inline",
			start: (source: string) => source.search(/!?\[\[/),
			tokenizer: (source: string): Wikilink | undefined => {
				const found = WIKILINK.exec(source);
				return found ? { type: "wikilink", raw: found[0], shown: found[3] ?? found[2] ?? "", target: (found[2] ?? "").replace(/[#^].*$/, "").trim(), isEmbed: found[1] === "!" } : undefined;
			},
		},
		{
			name: "marking",
			level: "inline",
			start: (source: string) => source.indexOf("=="),
			tokenizer(source: string): Marking | undefined {
				const found = MARKING.exec(source);
				return found ? { type: "marking", raw: found[0], tokens: this.lexer.inlineTokens(found[1] ?? "") } : undefined;
			},
		},
		{
			name: "comment",
			level: "inline",
			start: (source: string) => source.indexOf("%%"),
			tokenizer: (source: string): Tokens.Generic | undefined => {
				const found = COMMENT.exec(source);
				return found ? { type: "comment", raw: found[0] } : undefined;
			},
		},
	],
});

/**
 * A passage of a note as elements. `words` are marked wherever they stand.
 *
 * Nothing is loaded and nothing of the note becomes markup: pictures are named, HTML is left out, links leave by the
 * user's click alone, and only to the web.
 */
export function renderMarkdown(text: string, words: readonly string[]): HTMLElement[] {
	return blocks(parser.lexer(text.replace(BLOCK_ID, "")), words);
}

function blocks(tokens: readonly Token[], words: readonly string[]): HTMLElement[] {
	return tokens.map((token) => block(token, words)).filter((element) => element !== null);
}

function block(token: Token, words: readonly string[]): HTMLElement | null {
	switch (token.type) {
		case "heading":
			return h("h3", { attrs: { "data-depth": (token as Tokens.Heading).depth, dir: "auto" } }, ...inline(token, words));
		case "paragraph":
			return h("p", { attrs: { dir: "auto" } }, ...inline(token, words));
		case "text":
			return h("span", {}, ...inline(token, words));
		case "list":
			return list(token as Tokens.List, words);
		case "code":
			return h("pre", { attrs: { tabindex: "0" } }, h("code", {}, ...marked((token as Tokens.Code).text, words)));
		case "blockquote":
			return quotation(token as Tokens.Blockquote, words);
		case "table":
			return table(token as Tokens.Table, words);
		case "hr":
			return h("hr");
		default:
			return null;
	}
}

function list({ ordered, start, items }: Tokens.List, words: readonly string[]): HTMLElement {
	const lines = items.map((item) =>
		h("li", { attrs: { dir: "auto" }, ...(item.task ? { class: "sj-task" } : {}) }, item.task && h("span", { class: "sj-task-box", text: item.checked ? "☑" : "☐" }), ...blocks(item.tokens.filter(({ type }) => type !== "checkbox"), words)),
	);
	return ordered ? h("ol", { attrs: { start: start === "" ? 1 : start } }, ...lines) : h("ul", {}, ...lines);
}

function quotation({ tokens, text }: Tokens.Blockquote, words: readonly string[]): HTMLElement {
	const kind = CALL_OUT.exec(text);
	if (!kind) return h("blockquote", {}, ...blocks(tokens, words));
	const name = (kind[1] ?? "").toLowerCase();
	const [title = "", ...rest] = text.slice(kind[0].length).split("\n");
	const label = title.trim() === "" ? name.charAt(0).toUpperCase() + name.slice(1) : title;
	return h("blockquote", { class: "sj-callout" }, h("strong", {}, ...marked(label, words)), ...renderMarkdown(rest.join("\n"), words));
}

function table({ header, rows }: Tokens.Table, words: readonly string[]): HTMLElement {
	const cells = (tag: "th" | "td", row: readonly Tokens.TableCell[]): HTMLElement => h("tr", {}, ...row.map((cell) => h(tag, { attrs: { dir: "auto" } }, ...spans(cell.tokens, words))));
	const body = h("table", {}, h("thead", {}, cells("th", header)), h("tbody", {}, ...rows.map((row) => cells("td", row))));
	return h("div", { class: "sj-table", attrs: { tabindex: "0", role: "group", "aria-label": "Table" } }, body);
}

function inline(token: Token, words: readonly string[]): Child[] {
	return "tokens" in token && token.tokens ? spans(token.tokens, words) : marked(textOf(token), words);
}

function spans(tokens: readonly Token[], words: readonly string[]): Child[] {
	return tokens.flatMap((token) => span(token, words));
}

function span(token: Token, words: readonly string[]): Child[] {
	switch (token.type) {
		case "strong":
		case "em":
		case "del":
			return [h(token.type, {}, ...inline(token, words))];
		case "marking":
			return [h("strong", { class: "sj-marking" }, ...inline(token, words))];
		case "codespan":
			return [h("code", {}, ...marked(textOf(token), words))];
		case "br":
			return [h("br")];
		case "link":
			return [link(token as Tokens.Link, words)];
		case "wikilink":
			return [wikilink(token as Wikilink, words)];
		case "image":
			return [h("span", { class: "sj-wikilink" }, ...marked(textOf(token) || (token as Tokens.Image).href, words))];
		case "html":
		case "comment":
			return [];
		default:
			return inline(token, words);
	}
}

/** What leads to a note is a button that names it; whoever shows the text follows it. */
function wikilink({ shown, target, isEmbed }: Wikilink, words: readonly string[]): HTMLElement {
	const children = marked(shown, words);
	if (isEmbed || target === "") return h("span", { class: "sj-wikilink" }, ...children);
	return h("button", { class: "sj-wikilink", attrs: { "data-note": target } }, ...children);
}

function link(token: Tokens.Link, words: readonly string[]): HTMLElement {
	const children = inline(token, words);
	if (!/^https?:\/\//i.test(token.href)) return h("span", { class: "sj-wikilink" }, ...children);
	return h("a", { attrs: { href: token.href, target: "_blank", rel: "noopener noreferrer" }, title: token.href }, ...children);
}

/** What a token without parts says, the commonest entities read. */
function textOf(token: Token): string {
	const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
	return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

function marked(text: string, words: readonly string[]): Child[] {
	return markWords(text, words).map((part) => (part.hit ? h("mark", { class: "sj-mark", text: part.text }) : part.text));
}
