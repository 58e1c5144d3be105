import type { SearchResult } from "../../api/wire";
import type { OfferedNote } from "../../api/words";
import { say } from "../../words/say";
import type { Mention, Place } from "../host";
import { placeOf, placeOfNote } from "../host";
import type { Mark } from "../notes/noteMarks";
import type { NamedSearch } from "../search/namedSearches";
import { nameOf } from "../shared/format";

/** How much is shown of why a result is there. */
export type Reasons = "words" | "numbers";

/** One line of the list below the search box. The list is flat, so that the arrow keys need no tree. */
export type Row =
	| { kind: "section"; key: string; label: string }
	| {
			kind: "result";
			key: string;
			result: SearchResult;
			unfolded: boolean;
			explained: Reasons | null;
			isNamed: boolean;
	  }
	| { kind: "passage"; key: string; result: SearchResult }
	| { kind: "note"; key: string; note: OfferedNote }
	| { kind: "related"; key: string; note: OfferedNote; mark: Mark | null; mention: Mention | null }
	| { kind: "query"; key: string; query: string; name: string };

export type ResultRow = Extract<Row, { kind: "result" }>;
export type RelatedRow = Extract<Row, { kind: "related" }>;

export function isSelectable(row: Row): boolean {
	return row.kind !== "section";
}

/** Where opening the row leads; null for rows that lead to no note. */
export function placeOfRow(row: Row): Place | null {
	switch (row.kind) {
		case "result":
		case "passage":
			return placeOf(row.result);
		case "note":
		case "related":
			return placeOfNote(row.note);
		default:
			return null;
	}
}

/** What is unfolded or explained, by result key. */
export interface Opened {
	passages: ReadonlyMap<string, SearchResult[]>;
	explained: ReadonlyMap<string, Reasons>;
}

/** Is the note called what was searched for, by its title or its file's name? */
export function isNamed({ title, path }: Pick<SearchResult, "title" | "path">, query: string): boolean {
	const name = query.trim().toLowerCase();
	return name !== "" && (title.toLowerCase() === name || nameOf(path).toLowerCase() === name);
}

/** The same for every result of a note, and for the note itself. */
export function resultKey({ profile, vault, path }: Pick<OfferedNote, "profile" | "vault" | "path">): string {
	return `${profile}\n${vault}\n${path}`;
}

/** Results to a query and, below those that are unfolded, their other passages. */
export function resultRows(results: readonly SearchResult[], { passages, explained }: Opened, query: string): Row[] {
	return results.flatMap((result): Row[] => {
		const key = resultKey(result);
		const below = passages.get(key);
		const row: Row = {
			kind: "result",
			key,
			result,
			unfolded: below !== undefined,
			explained: explained.get(key) ?? null,
			isNamed: isNamed(result, query),
		};
		const rest = (below ?? []).map((passage): Row => ({
			kind: "passage",
			key: `${key}\n${passage.id}:${passage.line}`,
			result: passage,
		}));
		return [row, ...rest];
	});
}

/** What an empty box offers; no note twice. */
export function emptyRows(
	named: readonly NamedSearch[],
	queries: readonly string[],
	related: readonly OfferedNote[],
	recent: readonly OfferedNote[],
): Row[] {
	const section = (label: string, rows: Row[]): Row[] =>
		rows.length === 0 ? [] : [{ kind: "section", key: label, label }, ...rows];
	const notes = (list: readonly OfferedNote[]): Row[] =>
		list.map((note) => ({ kind: "note", key: resultKey(note), note }));
	const isRelated = new Set(related.map(resultKey));
	const hasName = new Set(named.map(({ query }) => query));
	const past = queries.filter((query) => !hasName.has(query)).map((query) => ({ name: "", query }));
	const searches = (list: readonly NamedSearch[]): Row[] =>
		list.map(({ name, query }) => ({ kind: "query", key: `query\n${query}`, query, name }));
	return [
		...section(say("section.named"), searches(named)),
		...section(say("section.queries"), searches(past)),
		...section(say("section.related"), notes(related)),
		...section(say("section.recent"), notes(recent.filter((note) => !isRelated.has(resultKey(note))))),
	];
}
