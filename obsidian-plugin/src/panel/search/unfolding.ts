import type { Client } from "../../api/client";
import type { SearchAsk, SearchResult } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { resultOf } from "../results/resultPane";
import { resultKey, resultRows, type Reasons, type Row } from "../results/rows";
import { whyWords } from "../results/whyWords";
import type { Speaker } from "../shared/speaker";

const MOST_PASSAGES = 20;

export interface UnfoldingOptions {
	client: Client;
	host: Host;
	speaker: Speaker;
	/** What the search that is shown asks for, for all results that are shown. */
	request: () => SearchAsk;
	onChange: () => void;
}

/** What the user opened up below the results of one query: other passages of a note, and the reasons for a result. */
export class Unfolding {
	private readonly passages = new Map<string, SearchResult[]>();
	private readonly explained = new Map<string, Reasons>();
	private readonly reasons = new Map<string, Pick<SearchResult, "explain" | "words">>();

	constructor(private readonly options: UnfoldingOptions) {}

	/** Forget everything: another query is shown. */
	clear(): void {
		this.passages.clear();
		this.explained.clear();
		this.reasons.clear();
	}

	rows(results: readonly SearchResult[]): Row[] {
		const explained = results.map((result) => ({ ...result, ...this.reasons.get(resultKey(result)) }));
		return resultRows(
			explained,
			{ passages: this.passages, explained: this.explained },
			this.options.request().query,
		);
	}

	/** Show or hide the other passages of the row's note that match. */
	togglePassages(row: Row): void {
		this.try(row, async (result) => {
			const others = await this.passagesOf(result);
			if (others === 0) this.options.host.notify(say("passages.none"));
			else
				this.options.speaker.now(
					others === null ? say("passages.hidden") : say("passages.more", { count: others }),
				);
		});
	}

	/** Show why the row's result stands where it stands: first in words, then in numbers too, then no more. */
	toggleReasons(row: Row): void {
		this.try(row, async (result) => {
			const reasons = await this.reasonsFor(result);
			const known = { ...result, ...this.reasons.get(resultKey(result)) };
			this.options.speaker.now(reasons === null ? say("why.hidden") : whyWords(known) || say("why.none"));
		});
	}

	private try(row: Row, step: (result: SearchResult) => Promise<void>): void {
		const result = resultOf(row);
		if (result) step(result).catch(() => this.options.host.notify(say("failed.noAnswer")));
	}

	/** How many there are; null when they were hidden. */
	private async passagesOf(result: SearchResult): Promise<number | null> {
		const { client, request, onChange } = this.options;
		const key = resultKey(result);
		if (this.passages.delete(key)) {
			onChange();
			return null;
		}
		const asked = request();
		const query = `${asked.query} path:"${result.path}"`;
		const reply = await client.ask("POST /v1/search", {
			...asked,
			query,
			profiles: [result.profile],
			group: "chunk",
			sort: "relevance",
			limit: MOST_PASSAGES,
			remember: false,
		});
		const others = reply.results.filter((other) => resultKey(other) === key && other.line !== result.line);
		if (others.length > 0)
			this.passages.set(
				key,
				others.sort((a, b) => a.line - b.line),
			);
		onChange();
		return others.length;
	}

	private async reasonsFor(result: SearchResult): Promise<Reasons | null> {
		const { client, request, onChange } = this.options;
		const key = resultKey(result);
		const next = { none: "words", words: "numbers", numbers: null } as const;
		const reasons = next[this.explained.get(key) ?? "none"];
		if (reasons === null) this.explained.delete(key);
		else this.explained.set(key, reasons);
		onChange();
		if (reasons === null || this.reasons.has(key)) return reasons;
		const reply = await client.ask("POST /v1/search", { ...request(), explain: true, remember: false });
		for (const { explain, words, ...other } of reply.results)
			this.reasons.set(resultKey(other), { explain: explain ?? [], words });
		if (!this.reasons.has(key)) this.reasons.set(key, { explain: [], words: null });
		onChange();
		return reasons;
	}
}
