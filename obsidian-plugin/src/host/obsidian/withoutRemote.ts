const CODE = /(^[ \t>]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t>]*\2[^\n]*$|$(?![\s\S]))|`[^`\n]*`)/gm;
/** A picture that is not in the vault; of one with a name of its own, nobody knows where it is. */
const REMOTE_PICTURE = /!(\[[^\]\n]*\](?:\(\s*<?\s*(?:https?:)?\/\/|\[))/gi;
const LOADING = /<\/?(?:img|picture|iframe|frame|video|audio|source|track|object|embed|link|base|meta|script|style|svg|image|use)\b[^>]*>?/gi;
const LOADING_BY = /<[a-z][^>]*\s(?:style|src|srcset|background|poster)\s*=[^>]*>?/gi;

/** Markdown that loads nothing from the web when it is drawn: pictures from there become links, HTML that loads by itself is left out. Code stays as it is. */
export function withoutRemote(text: string): string {
	let clean = "";
	let at = 0;
	for (const match of text.matchAll(CODE)) {
		clean += cleaned(text.slice(at, match.index)) + match[0];
		at = match.index + match[0].length;
	}
	return clean + cleaned(text.slice(at));
}

/**
 * Markdown of a note that is not in this vault: what would be looked for here (pictures, embedded notes) is only named, and
 * no program of this vault's plugins runs what its code says.
 */
export function onlyText(text: string): string {
	let shown = "";
	let at = 0;
	for (const match of text.matchAll(CODE)) {
		shown += cleaned(text.slice(at, match.index)).replace(/!(?=\[)/g, "") + inert(match[0]);
		at = match.index + match[0].length;
	}
	return shown + cleaned(text.slice(at)).replace(/!(?=\[)/g, "");
}

/** Code without what tells plugins that it is theirs: the language of a fence, and the sign that begins an inline query. */
function inert(code: string): string {
	return code.replace(/^([ \t>]*(?:`{3,}|~{3,}))[^\n]*/, "$1").replace(/^`(?=\$?=)/, "`\u200b");
}

function cleaned(text: string): string {
	return text.replace(REMOTE_PICTURE, "$1").replace(LOADING, "").replace(LOADING_BY, "");
}
