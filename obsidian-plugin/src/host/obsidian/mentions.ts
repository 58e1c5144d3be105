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

/** The first place that says one of the names, in any case, as words of their own and outside of links, code and headings; null for none. prose: of `proseOf` the text. */
export function findMention(text: string, prose: string, names: readonly string[]): FoundMention | null {
	const patterns = names.map(patternOf).filter((pattern) => pattern !== null);
	const found = patterns.map((pattern) => pattern.exec(prose)).filter((match) => match !== null);
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
