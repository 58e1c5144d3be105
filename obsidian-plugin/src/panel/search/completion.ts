import type { SuggestKind } from "../../api/client";

/** The filters of the query language, in the words shown to the user. */
export const FILTERS: readonly { filter: string; about: string }[] = [
	{ filter: "tag:", about: "notes with a tag" },
	{ filter: "path:", about: "notes in a folder" },
	{ filter: "file:", about: "notes by name" },
	{ filter: "modified:", about: "changed since" },
	{ filter: "created:", about: "written since" },
	{ filter: '""', about: "these very words" },
	{ filter: "-", about: "leave out" },
];

const KIND_OF: Record<string, SuggestKind> = { tag: "tag", path: "folder", file: "title" };
const TIMES = ["today", "yesterday", "this week", "last week", "this month", "7d", "30d", "1y"];

/** The filter that the caret stands in. `start` and `end` delimit its value, quotes included. */
export interface FilterToken {
	filter: string;
	/** null: the values are fixed, see `fixed`. */
	kind: SuggestKind | null;
	fixed: readonly string[];
	start: number;
	end: number;
	/** The value up to the caret, without its opening quote. */
	prefix: string;
}

/** The filter value being typed at the caret; null anywhere else. `profiles` complete `profile:`. */
export function filterAt(query: string, caret: number, profiles: readonly string[] = []): FilterToken | null {
	const before = query.slice(0, caret);
	const match = /(?:^|\s)-?(tag|path|file|modified|created|profile):("[^"]*|[^\s"]*)$/i.exec(before);
	if (!match) return null;
	const filter = (match[1] ?? "").toLowerCase();
	const typed = match[2] ?? "";
	const start = caret - typed.length;
	const rest = /^[^\s"]*"?/.exec(query.slice(caret));
	return {
		filter,
		kind: KIND_OF[filter] ?? null,
		fixed: filter === "profile" ? profiles : filter === "modified" || filter === "created" ? TIMES : [],
		start,
		end: caret + (rest?.[0].length ?? 0),
		prefix: typed.replace(/^"/, ""),
	};
}

/** The query with the chosen value in place, and where the caret goes: behind it and one space. */
export function complete(query: string, token: FilterToken, value: string): { query: string; caret: number } {
	const quoted = /\s/.test(value) ? `"${value}"` : value;
	const after = query.slice(token.end).replace(/^\s*/, "");
	const head = `${query.slice(0, token.start)}${quoted} `;
	return { query: head + after, caret: head.length };
}

/** The query with a filter added at its end, ready for a value. The caret of `""` goes between the quotes. */
export function addFilter(query: string, filter: string): { query: string; caret: number } {
	const head = query.trimEnd();
	const next = `${head}${head === "" ? "" : " "}${filter}`;
	return { query: next, caret: filter === '""' ? next.length - 1 : next.length };
}

/** Is there nothing to search for besides filters? */
export function isOnlyFilters(query: string): boolean {
	const rest = query.replace(/-?\b(tag|path|file|modified|created|vault|profile|lang):("[^"]*"?|\S*)|-?#\S+|\[[^\]]*\]/gi, "");
	return rest.trim() === "" && query.trim() !== "";
}
