/** What a block of code in a note asks for: a query, and how its notes are shown. */
import { say } from "../../words/say";

const VIEWS = ["list", "cards", "table", "count"] as const;
export type BlockView = (typeof VIEWS)[number];

export interface BlockQuery {
	query: string;
	/** Most notes shown, 1 to 100. */
	limit: number;
	view: BlockView;
}

/** What is wrong with a block, one sentence each. */
export interface BlockProblems {
	problems: string[];
}

const MOST_NOTES = 100;
const OPTION = /^\s*(query|limit|view)\s*:(.*)$/i;

/**
 * Read a block. `query:`, `limit:` and `view:` begin a line each, in any order and case; a line without one of them
 * belongs to the query, so that a query alone will do. Of an option that comes twice the last counts.
 */
export function readBlock(source: string): BlockQuery | BlockProblems {
	const words: string[] = [];
	const options = new Map<string, string>();
	for (const line of source.split("\n")) {
		const [, name = "query", value = line] = OPTION.exec(line) ?? [];
		if (name.toLowerCase() === "query") words.push(value.trim());
		else options.set(name.toLowerCase(), value.trim());
	}
	const query = words.filter((part) => part !== "").join(" ");
	const limit = options.get("limit") ?? "10";
	const view = VIEWS.find((name) => name === (options.get("view") ?? "list").toLowerCase());
	const isCount = /^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MOST_NOTES;
	const problems = [
		query === "" && say("block.noQuery"),
		!isCount && say("block.limit", { most: MOST_NOTES, given: limit }),
		view === undefined && say("block.view", { views: VIEWS.join(", "), given: options.get("view") ?? "" }),
	].filter((words) => words !== false);
	return problems.length > 0 || view === undefined ? { problems } : { query, limit: Number(limit), view };
}

/** The query without the note that it is written in, which says all of its words. Left as it is where a quotation mark is open. */
export function withoutNote(query: string, path: string): string {
	if ((query.match(/(?<!\\)"/g) ?? []).length % 2 === 1) return query;
	const all = /(?:^|\s)OR(?:\s|$)/.test(query) ? `(${query})` : query;
	return `${all} -path:"${path.replaceAll('"', '\\"')}"`;
}
