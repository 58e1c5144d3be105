import type { Client } from "../../api/client";
import type { ScorePart, SearchAsk, SearchResult } from "../../api/wire";
import { resultKey, resultRows, type Row } from "../results/rows";

const MOST_PASSAGES = 20;

/** What the user opened up below the results of one query: other passages of a note, and the reasons for a result. */
export class Unfolding {
	private readonly passages = new Map<string, SearchResult[]>();
	private readonly explained = new Set<string>();
	private readonly reasons = new Map<string, ScorePart[]>();

	constructor(
		private readonly client: Client,
		private readonly onChange: () => void,
	) {}

	/** Forget everything: another query is shown. */
	clear(): void {
		this.passages.clear();
		this.explained.clear();
		this.reasons.clear();
	}

	rows(results: readonly SearchResult[]): Row[] {
		const explained = results.map((result) => {
			const explain = result.explain ?? this.reasons.get(resultKey(result));
			return explain ? { ...result, explain } : result;
		});
		return resultRows(explained, { passages: this.passages, explained: this.explained });
	}

	/** Show or hide the note's other passages that match. Resolves to how many there are, null when they were hidden. */
	async togglePassages(result: SearchResult, request: SearchAsk): Promise<number | null> {
		const key = resultKey(result);
		if (this.passages.delete(key)) {
			this.onChange();
			return null;
		}
		const query = `${request.query} path:"${result.path}"`;
		const reply = await this.client.search({ ...request, query, profiles: [result.profile], group: "chunk", limit: MOST_PASSAGES, remember: false });
		const others = reply.results.filter((other) => resultKey(other) === key && other.line !== result.line);
		if (others.length > 0) this.passages.set(key, others.sort((a, b) => a.line - b.line));
		this.onChange();
		return others.length;
	}

	/** Show or hide why the result stands where it stands. */
	async toggleReasons(result: SearchResult, request: SearchAsk): Promise<void> {
		const key = resultKey(result);
		if (this.explained.delete(key)) return this.onChange();
		this.explained.add(key);
		this.onChange();
		if (this.reasons.has(key)) return;
		const reply = await this.client.search({ ...request, explain: true, remember: false });
		for (const other of reply.results) if (other.explain) this.reasons.set(resultKey(other), other.explain);
		if (!this.reasons.has(key)) this.reasons.set(key, []);
		this.onChange();
	}
}
