import type { MarkedOptions, Token, TokenizerExtensionFunction, Tokens } from "marked";

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

/** Reads text that a pattern takes whole. */
function plain(type: string, pattern: RegExp): TokenizerExtensionFunction {
	return (source) => {
		const [raw, text] = pattern.exec(source) ?? [];
		return raw === undefined ? undefined : { type, raw, text: text ?? "" };
	};
}

const marking: TokenizerExtensionFunction = function (source): Marking | undefined {
	const found = MARKING.exec(source);
	return found ? { type: "marking", raw: found[0], tokens: this.lexer.inlineTokens(found[1] ?? "") } : undefined;
};

/** Links, highlights, comments and formulas as Obsidian writes them, for the lexer of marked. */
export const NOTATION: NonNullable<MarkedOptions["extensions"]> = {
	renderers: {},
	childTokens: {},
	inline: [
		wikilink,
		marking,
		plain("formula-block", FORMULA_BLOCK),
		plain("formula", FORMULA),
		plain("comment", COMMENT),
	],
	startInline: [(source) => source.search(/!?\[\[|==|\$|%%/)],
};
