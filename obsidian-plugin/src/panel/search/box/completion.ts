import { OPERATORS, type SuggestAsk } from "../../../api/wire";
import { say } from "../../../words/say";
import { KINDS, kindWords } from "../../shared/kinds";
import { isOperator } from "./queryParts";

/** One completion. `about` says what it stands for. */
export interface Choice {
	value: string;
	about?: string;
}

/** The filters that buttons offer. */
export function filters(): Choice[] {
	return [
		{ value: "tag:", about: say("filter.tag") },
		{ value: "path:", about: say("filter.path") },
		{ value: "file:", about: say("filter.file") },
		{ value: "modified:", about: say("filter.modified") },
		{ value: "created:", about: say("filter.created") },
		{ value: '""', about: say("filter.quotes") },
		{ value: "-", about: say("filter.minus") },
	];
}

/** The operators, whose names complete while they are typed. */
function names(): Choice[] {
	return OPERATORS.map((name) => ({ value: `${name}:`, about: say(`filter.${name}`) }));
}

function kinds(): Choice[] {
	return KINDS.map((value) => ({ value, about: kindWords(value) }));
}

const KIND_OF: Record<string, SuggestAsk["kind"]> = { tag: "tag", path: "folder", file: "title" };
/** Times as the query language writes them, in whatever language the panel speaks. */
const TIMES = ["today", "yesterday", "this week", "last week", "this month", "7d", "30d", "1y"] as const;
/** Up to the caret: an operator and its value, a property, or two letters and more. */
const AT_CARET = /(?:^|\s)-?(?:([a-z-]+):("[^"]*|[^\s"]*)|\[([^[\]:"]*)|([a-z][a-z-]+))$/i;

/** What can be completed at the caret. `start` and `end` delimit it in the query, quotes included. */
export interface Token {
	/** What the daemon is asked for; null: the choices are fixed, see `fixed`. */
	kind: SuggestAsk["kind"] | null;
	fixed: readonly Choice[];
	start: number;
	end: number;
	/** What is typed of it up to the caret, without its opening quote. */
	prefix: string;
	/** Is it the beginning of a filter's name, which may be a plain word as well? */
	isWord: boolean;
}

/** The value of a filter, the property or the beginning of a filter's name that the caret stands in; null anywhere else. `profiles` complete `profile:`. */
export function tokenAt(query: string, caret: number, profiles: readonly string[] = []): Token | null {
	const [, name, value, property, word] = AT_CARET.exec(query.slice(0, caret)) ?? [];
	const typed = value ?? property ?? word;
	const [rest = ""] = /^[^\s"\]]*["\]]?/.exec(query.slice(caret)) ?? [];
	const isWord = word !== undefined;
	if (typed === undefined || (isWord && rest !== "") || (name !== undefined && !isOperator(name))) return null;
	const filter = name?.toLowerCase() ?? "";
	const kind = property === undefined ? (KIND_OF[filter] ?? null) : "property";
	const prefix = typed.replace(/^"/, "");
	const all = isWord ? names() : kind ? [] : valuesOf(filter, profiles);
	const fixed = all.filter((choice) => choice.value.toLowerCase().startsWith(prefix.toLowerCase()));
	return { kind, fixed, start: caret - typed.length, end: caret + rest.length, prefix, isWord };
}

/** The values of an operator that are known here. */
function valuesOf(operator: string, profiles: readonly string[]): Choice[] {
	if (operator === "profile") return profiles.map((value) => ({ value }));
	if (operator === "kind") return kinds();
	return operator === "modified" || operator === "created" ? times() : [];
}

/** A time that is written as it is said needs no explanation. */
function times(): Choice[] {
	return TIMES.map((value) => ({ value, about: say(`time.${value}`) })).map(({ value, about }) =>
		about === value ? { value } : { value, about },
	);
}

/** Those of the choices for one text that fit a newer one as well: of the same kind, and the value or a word in it begins with what is typed now. */
export function stillFitting(choices: readonly Choice[], before: Token | null, now: Token | null): Choice[] {
	if (!now?.kind || now.kind !== before?.kind) return [];
	const typed = folded(now.prefix);
	return choices.filter(({ value }) => {
		const whole = folded(value);
		return whole.startsWith(typed) || whole.split(/[^\p{L}\p{M}\p{N}]+/u).some((word) => word.startsWith(typed));
	});
}

/** The query with the chosen value in place, and where the caret goes: behind it and one space, or behind the name of a filter. */
export function complete(
	query: string,
	{ kind, start, end, isWord }: Token,
	value: string,
): { query: string; caret: number } {
	const written = kind === "property" ? `${value}]` : /\s/.test(value) ? `"${value}"` : value;
	const head = query.slice(0, start) + written + (isWord ? "" : " ");
	const after = query.slice(end);
	return { query: head + (isWord ? after : after.trimStart()), caret: head.length };
}

/** The query with a filter added at its end, ready for a value. The caret of `""` goes between the quotes. */
export function addFilter(query: string, filter: string): { query: string; caret: number } {
	const head = query.trimEnd();
	const next = `${head}${head === "" ? "" : " "}${filter}`;
	return { query: next, caret: filter === '""' ? next.length - 1 : next.length };
}

/** Letters that Unicode does not take apart, as the daemon folds them. */
const LETTERS: Readonly<Record<string, string>> = {
	ß: "ss",
	æ: "ae",
	œ: "oe",
	ø: "o",
	ł: "l",
	đ: "d",
	ð: "d",
	þ: "th",
	ħ: "h",
	ı: "i",
};

/** Without case and accents. */
function folded(text: string): string {
	const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
	return plain.replace(/[ßæœøłđðþħı]/g, (letter) => LETTERS[letter] ?? letter);
}
