import type { Client } from "../../api/client";
import type { OfferedNote } from "../../api/words";

/** Of so many questions the answer is kept, the newest ones. */
const MOST_KEPT = 50;

/** What is related to what: views that ask the same share one request and its answer, until it is forgotten. */
export class RelatedAnswers {
	private readonly kept = new Map<string, Promise<readonly OfferedNote[] | null>>();

	constructor(private readonly client: () => Client) {}

	/** The notes related to a note, or to the section that begins at a line; null where the daemon does not offer that. Rejects with `ApiError`. */
	related(ask: { vault: string; path: string; line: number | undefined; limit: number }): Asked {
		return this.once(JSON.stringify(ask), async () => {
			const reply = await this.client().askIfOffered("GET /v1/related", ask);
			return reply && (reply.notes ?? []);
		});
	}

	/** The notes nearest to a text in meaning; null where nobody answers. */
	near(query: string, limit: number): Asked {
		const ask = { query, mode: "semantic", group: "note", limit, remember: false } as const;
		return this.once(query, async () => {
			const { results } = await this.client().ask("POST /v1/search", ask);
			return results.map((result) => ({ ...result, excerpt: result.snippet }));
		}).catch(() => null);
	}

	/** The index may have changed. */
	forget(): void {
		this.kept.clear();
	}

	private once(question: string, ask: () => Asked): Asked {
		const known = this.kept.get(question);
		if (known) return known;
		const asked = ask();
		this.kept.set(question, asked);
		asked.catch(() => this.kept.get(question) === asked && this.kept.delete(question));
		const [oldest] = this.kept.keys();
		if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
		return asked;
	}
}

type Asked = Promise<readonly OfferedNote[] | null>;
