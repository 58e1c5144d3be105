/** Where a note names another without a link to it. */
export interface FoundMention {
	/** Start and end (exclusive) in UTF-16 units of the text. */
	start: number;
	end: number;
	/** As it is written there. */
	written: string;
	/** 1-based. */
	line: number;
}

/** Letters that a name must have at least: shorter ones are often said without meaning the note. */
const SHORTEST = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** What is no running text: a link there would break it, or is one already. */
const NOT_TEXT: readonly RegExp[] = [
	/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/g, // frontmatter
	/^[ \t>]*(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)??[ \t>]*\1[`~]*[ \t]*$/gm,
	/^[ \t>]*(?:`{3,}|~{3,})[^\n]*\n[\s\S]*/gm, // a fence that is never closed
	/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g,
	/%%[\s\S]*?%%|<!--[\s\S]*?-->/g,
	/\$\$[\s\S]*?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$/g,
	/!?\[\[[^\]\n]*\]\]|!?\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])|^[ \t]*\[[^\]\n]*\]:[^\n]*$/gm,
	/<[a-z/][^>\n]*>|\b[a-z][a-z\d+.-]*:\/\/[^\s)>\]]+/gi,
	/^#{1,6}[ \t][^\n]*$/gm, // links to a heading would lose it
	/(?<![^\s])#[^\s#]+/gm,
];

/** The first place that says one of the names, in any case, as words of their own and outside of links, code and headings; null for none. */
export function findMention(text: string, names: readonly string[]): FoundMention | null {
	const patterns = names.map(patternOf).filter((pattern) => pattern !== null);
	if (patterns.length === 0) return null;
	const plain = NOT_TEXT.reduce(
		(rest, pattern) => rest.replace(pattern, (match) => match.replace(/[^\n]/g, "\0")),
		text,
	);
	const found = patterns.map((pattern) => pattern.exec(plain)).filter((match) => match !== null);
	const [first] = found.sort((a, b) => a.index - b.index || b[0].length - a[0].length);
	if (!first) return null;
	const end = first.index + first[0].length;
	return {
		start: first.index,
		end,
		written: text.slice(first.index, end),
		line: text.slice(0, first.index).split("\n").length,
	};
}

/** The text with the mention replaced by the link; null where its line is not as it was when the mention was found in `seen`. */
export function linkedAt(text: string, seen: string, { start, end }: FoundMention, link: string): string | null {
	const from = seen.lastIndexOf("\n", start - 1) + 1;
	const until = seen.indexOf("\n", end);
	const line = seen.slice(from, until < 0 ? undefined : until);
	const isWhole = text.length === from + line.length || text.charAt(from + line.length) === "\n";
	const isThere = text.startsWith(line, from) && isWhole && (from === 0 || text.charAt(from - 1) === "\n");
	if (!isThere) return null;
	// In a table, a bar would begin the next cell.
	const safe = line.trimStart().startsWith("|") ? link.replace(/(?<!\\)\|/g, "\\|") : link;
	return text.slice(0, start) + safe + text.slice(end);
}

function patternOf(name: string): RegExp | null {
	const words = name.match(WORDS) ?? [];
	const letters = words.join("").length;
	const isUnspaced = UNSPACED.test(name);
	if (letters < (isUnspaced ? 2 : SHORTEST)) return null;
	const body = words.join("[ \\t_'’.,:&/-]{1,3}");
	return new RegExp(isUnspaced ? body : `(?<![\\p{L}\\p{M}\\p{N}_])${body}(?![\\p{L}\\p{M}\\p{N}_])`, "iu");
}
