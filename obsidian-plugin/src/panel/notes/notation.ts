import type { MarkedExtension, Token, Tokens } from "marked";

/** Obsidian's own notation, which Markdown does not know. */
export interface Wikilink extends Tokens.Generic {
	type: "wikilink";
	shown: string;
	/** The note's name, without a heading in it. */
	target: string;
	/** The last heading that is named; "" for none. */
	heading: string;
	isEmbed: boolean;
}

export interface Marking extends Tokens.Generic {
	type: "marking";
	tokens: Token[];
}

const WIKILINK = /^(!?)\[\[([^[\]\n|]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/;
const MARKING = /^==(?=\S)([^=\n]{1,300})==/;
const COMMENT = /^%%[^%\n]*%%/;
/** Money is no formula: no blank inside the marks, no digit behind them. */
const FORMULA = /^\$(?![\s$])((?:\\.|[^$\\\n]){1,1000}?)(?<!\s)\$(?!\d)/;
const FORMULA_BLOCK = /^\$\$([\s\S]{1,5000}?)\$\$/;

function wikilink(source: string): Wikilink | undefined {
	const [raw, mark, named = "", shown] = WIKILINK.exec(source) ?? [];
	if (raw === undefined) return undefined;
	const [target = "", ...below] = named.split("#");
	return {
		type: "wikilink",
		raw,
		shown: shown ?? named,
		target: target.replace(/\^.*$/, "").trim(),
		heading: (below.at(-1) ?? "").replace(/^\^.*$/, "").trim(),
		isEmbed: mark === "!",
	};
}

/** An inline extension for text that a pattern takes whole. */
function plain(type: string, pattern: RegExp, start: string): NonNullable<MarkedExtension["extensions"]>[number] {
	return {
		name: type,
		level: "inline",
		start: (source) => source.indexOf(start),
		tokenizer: (source): Tokens.Generic | undefined => {
			const [raw, text] = pattern.exec(source) ?? [];
			return raw === undefined ? undefined : { type, raw, text: text ?? "" };
		},
	};
}

/** Links, highlights, comments and formulas as Obsidian writes them. */
export const NOTATION: MarkedExtension = {
	extensions: [
		{ name: "wikilink", level: "inline", start: (source: string) => source.search(/!?\[\[/), tokenizer: wikilink },
		{
			name: "marking",
			level: "inline",
			start: (source: string) => source.indexOf("=="),
			tokenizer(source: string): Marking | undefined {
				const found = MARKING.exec(source);
				return found
					? { type: "marking", raw: found[0], tokens: this.lexer.inlineTokens(found[1] ?? "") }
					: undefined;
			},
		},
		plain("formula-block", FORMULA_BLOCK, "$$"),
		plain("formula", FORMULA, "$"),
		plain("comment", COMMENT, "%%"),
	],
};
