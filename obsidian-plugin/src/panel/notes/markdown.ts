import { getDefaults, Lexer, type Token, type Tokens } from "marked";
import { say } from "../../words/say";
import { h, type Child } from "../shared/dom";
import { NOTATION, type Wikilink } from "./notation";

const BLOCK_ID = /\s\^[A-Za-z0-9-]+$/gm;
const CALL_OUT = /^\s*\[!([\w-]{1,30})\]([-+]?)[ \t]*/;
/** Kinds of call-outs by the colour that they have; others have the accent's. */
const TONES: Record<string, string> = {
	tip: "good",
	hint: "good",
	success: "good",
	check: "good",
	done: "good",
	warning: "careful",
	caution: "careful",
	attention: "careful",
	question: "careful",
	help: "careful",
	faq: "careful",
	danger: "bad",
	error: "bad",
	bug: "bad",
	failure: "bad",
	fail: "bad",
	missing: "bad",
	quote: "quiet",
	cite: "quiet",
};
const IS_NOTE = /^(?:[^.]*|.*\.md|.*\.\s.*|.*\.[^.]{6,})$/i;

const OPTIONS = { ...getDefaults(), extensions: NOTATION };

/**
 * A passage of a note as elements.
 *
 * Nothing is loaded and nothing of the note becomes markup: pictures are named, HTML is left out, formulas stay as they
 * are written, links leave by the user's click alone, and only to the web. Where another note is embedded, an element
 * with `data-embed` (and `data-heading`) is left for whoever has notes to put it there.
 */
export function renderMarkdown(text: string): HTMLElement[] {
	return blocks(Lexer.lex(text.replace(BLOCK_ID, ""), OPTIONS));
}

function blocks(tokens: readonly Token[]): HTMLElement[] {
	return tokens.map((token) => block(token)).filter((element) => element !== null);
}

function block(token: Token): HTMLElement | null {
	switch (token.type) {
		case "heading":
			return h("h3", { attrs: { "data-depth": (token as Tokens.Heading).depth, dir: "auto" } }, ...inline(token));
		case "paragraph":
			return h("p", { attrs: { dir: "auto" } }, ...inline(token));
		case "text":
			return h("span", {}, ...inline(token));
		case "list":
			return list(token as Tokens.List);
		case "code":
			return h("pre", { attrs: { tabindex: "0" } }, h("code", {}, (token as Tokens.Code).text));
		case "blockquote":
			return quotation(token as Tokens.Blockquote);
		case "table":
			return table(token as Tokens.Table);
		case "hr":
			return h("hr");
		default:
			return null;
	}
}

function list({ ordered, start, items }: Tokens.List): HTMLElement {
	const lines = items.map((item) =>
		h(
			"li",
			{ attrs: { dir: "auto" }, ...(item.task ? { class: "sj-task" } : {}) },
			item.task && h("span", { class: "sj-task-box", text: item.checked ? "☑" : "☐" }),
			...blocks(item.tokens.filter(({ type }) => type !== "checkbox")),
		),
	);
	return ordered ? h("ol", { attrs: { start: start === "" ? 1 : start } }, ...lines) : h("ul", {}, ...lines);
}

function quotation({ tokens, text }: Tokens.Blockquote): HTMLElement {
	const kind = CALL_OUT.exec(text);
	if (!kind) return h("blockquote", {}, ...blocks(tokens));
	const name = (kind[1] ?? "").toLowerCase();
	const [title = "", ...rest] = text.slice(kind[0].length).split("\n");
	const label = title.trim() === "" ? name.charAt(0).toUpperCase() + name.slice(1) : title;
	const props = { class: "sj-callout", attrs: { "data-tone": TONES[name] } };
	const body = renderMarkdown(rest.join("\n"));
	const heading = spans(Lexer.lexInline(label, OPTIONS));
	if (kind[2] === "")
		return h(
			"blockquote",
			props,
			h("strong", { class: "sj-callout-title", attrs: { dir: "auto" } }, ...heading),
			...body,
		);
	return h(
		"blockquote",
		props,
		h(
			"details",
			{ attrs: { open: kind[2] === "+" } },
			h("summary", { attrs: { dir: "auto" } }, ...heading),
			...body,
		),
	);
}

function table({ header, rows }: Tokens.Table): HTMLElement {
	const cells = (tag: "th" | "td", row: readonly Tokens.TableCell[]): HTMLElement =>
		h("tr", {}, ...row.map((cell) => h(tag, { attrs: { dir: "auto" } }, ...spans(cell.tokens))));
	const body = h(
		"table",
		{},
		h("thead", {}, cells("th", header)),
		h("tbody", {}, ...rows.map((row) => cells("td", row))),
	);
	return h(
		"div",
		{ class: "sj-table", attrs: { tabindex: "0", role: "group", "aria-label": say("reader.table") } },
		body,
	);
}

function inline(token: Token): Child[] {
	return "tokens" in token && token.tokens ? spans(token.tokens) : [textOf(token)];
}

function spans(tokens: readonly Token[]): Child[] {
	return tokens.flatMap((token) => span(token));
}

function span(token: Token): Child[] {
	switch (token.type) {
		case "strong":
		case "em":
		case "del":
			return [h(token.type, {}, ...inline(token))];
		case "marking":
			return [h("strong", { class: "sj-marking" }, ...inline(token))];
		case "codespan":
			return [h("code", {}, textOf(token))];
		case "br":
			return [h("br")];
		case "link":
			return [link(token as Tokens.Link)];
		case "wikilink":
			return [wikilink(token as Wikilink)];
		case "image":
			return [h("span", { class: "sj-wikilink" }, textOf(token) || (token as Tokens.Image).href)];
		case "formula":
		case "formula-block":
			return [
				h("code", {
					class: `sj-math${token.type === "formula" ? "" : " is-block"}`,
					text: textOf(token).trim(),
					attrs: { dir: "ltr" },
				}),
			];
		case "html":
			return /^<br\s*\/?>$/i.test(token.raw) ? [h("br")] : [];
		case "comment":
			return [];
		default:
			return inline(token);
	}
}

/** What leads to a note is a button that names it; whoever shows the text follows it. */
function wikilink({ shown, target, heading, isEmbed }: Wikilink): HTMLElement {
	if (target === "") return h("span", { class: "sj-wikilink", text: shown });
	if (!isEmbed) return h("button", { class: "sj-wikilink", text: shown, attrs: { "data-note": target } });
	if (!IS_NOTE.test(target)) return h("span", { class: "sj-wikilink", text: shown });
	return h(
		"span",
		{ class: "sj-embed", attrs: { "data-embed": target, "data-heading": heading || undefined } },
		h("span", { class: "sj-wikilink", text: shown }),
	);
}

function link(token: Tokens.Link): HTMLElement {
	const children = inline(token);
	if (!/^https?:\/\//i.test(token.href)) return h("span", { class: "sj-wikilink" }, ...children);
	return h(
		"a",
		{ attrs: { href: token.href, target: "_blank", rel: "noopener noreferrer" }, title: token.href },
		...children,
	);
}

/** What a token without parts says, the commonest entities read. */
function textOf(token: Token): string {
	const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
	return text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
