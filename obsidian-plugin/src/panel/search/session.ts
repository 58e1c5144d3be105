import { asApiError, type ApiError } from "../../api/errors";
import type { SearchAsk, SearchResponse } from "../../api/wire";
import type { Mode } from "../../api/words";
import { FACETS } from "./facetBar";
import type { Scope } from "./scopeBar";

/** The pause after which a query counts as typed, and the slower, better mode is asked. */
export const PAUSE_MS = 140;
/** What the daemon answers in one page. */
const MOST_AT_ONCE = 1_000;

export interface SessionState {
	query: string;
	/** The newest reply to this very query, or to the one before it until the first reply comes. */
	response: SearchResponse | null;
	/** The query that `response` answers. */
	answered: string;
	error: ApiError | null;
	/** Is a better answer still on its way? */
	busy: boolean;
}

/** What the user may change while a search is open. */
export interface SessionSettings {
	limit: number;
	asYouType: boolean;
}

type Ask = (request: SearchAsk) => Promise<SearchResponse>;

/**
 * One search box's conversation with the daemon.
 *
 * A keystroke asks by words at once; a pause asks in the chosen mode. At most one request of each kind is under way and
 * only the newest question waits behind it, so that fast typing never queues up. A quick reply that typing has overtaken
 * is still shown if nothing newer is, since it beats what stands there; every other stale reply is dropped.
 */
export class SearchSession {
	private state: SessionState = { query: "", response: null, answered: "", error: null, busy: false };
	/** What the user asked for beside, of this query alone. */
	private also: Pick<SearchAsk, "mend" | "fold" | "hidden"> = {};
	private generation = 0;
	/** The generation whose full answer is shown; a late quick one must not replace it. */
	private settled = -1;
	/** The generation whose answer is shown. */
	private shown = -1;
	/** Replies to generations before this one were asked of another scope, or of a box that was emptied since. */
	private oldest = 0;
	private timer: number | undefined;
	private readonly quick = new Lane();
	private readonly full = new Lane();

	constructor(
		private readonly ask: Ask,
		private readonly settings: () => SessionSettings,
		private scope: Scope,
		private readonly onChange: (state: SessionState) => void,
	) {}

	/** The box now reads `query`. */
	type(query: string): void {
		this.begin(query);
		if (query.trim() === "" || !this.settings().asYouType) return;
		if (this.scope.mode !== "semantic") this.send(this.quick, "lexical", true);
		this.timer = window.setTimeout(() => this.settle(), PAUSE_MS);
	}

	/** Search for what the box reads, without waiting for a pause. */
	settle(): void {
		window.clearTimeout(this.timer);
		if (this.state.query.trim() !== "") this.send(this.full, this.scope.mode, false);
	}

	setScope(scope: Scope): void {
		this.scope = scope;
		this.again();
	}

	/** Another query in another scope, at once. isAsked: the user asked for it now; else no history holds it. */
	go(query: string, scope: Scope, isAsked = true): void {
		this.scope = scope;
		if (!isAsked) return this.restore(query);
		this.begin(query);
		this.oldest = this.generation;
		this.settle();
	}

	/** Ask for the results that follow those that are shown. */
	more(): void {
		const { response, busy, query, answered } = this.state;
		const offset = response?.next_offset ?? null;
		if (response === null || offset === null || busy || query !== answered) return;
		this.send(this.full, this.scope.mode, false, { offset }, response);
	}

	/** Search for the words as they were typed, even those that no note has. */
	takeAsTyped(): void {
		this.with({ mend: false });
	}

	/** Show notes that say nearly the same each by itself. */
	unfold(): void {
		this.with({ fold: false });
	}

	/** Find notes that are hidden, too. */
	showHidden(): void {
		this.with({ hidden: true });
	}

	private with(also: typeof this.also): void {
		this.begin(this.state.query);
		this.also = also;
		this.settle();
	}

	/** Ask the same again. */
	again(): void {
		this.begin(this.state.query);
		this.oldest = this.generation;
		this.settle();
	}

	/**
	 * Ask for the same, and as much as is shown, though nobody did: the connection came back, or the index changed. No
	 * history holds it.
	 */
	refresh(): void {
		const { also } = this;
		const { query, response } = this.state;
		this.begin(query);
		this.also = also;
		this.oldest = this.generation;
		const limit = Math.min(MOST_AT_ONCE, Math.max(this.settings().limit, response?.results.length ?? 0));
		if (query.trim() !== "") this.send(this.full, this.scope.mode, false, { remember: false, limit });
	}

	/** A query that was asked before is shown again. No history holds it. */
	restore(query: string): void {
		this.begin(query);
		this.refresh();
	}

	/** What would be asked now. */
	request(mode: Mode = this.scope.mode, typing = false): SearchAsk & { limit: number } {
		const { query } = this.state;
		const { profiles, sort } = this.scope;
		const scope = profiles ? { profiles: [...profiles] } : {};
		return {
			query,
			...scope,
			limit: this.settings().limit,
			mode,
			sort,
			group: "note",
			explain: false,
			typing,
			...this.also,
		};
	}

	dispose(): void {
		window.clearTimeout(this.timer);
		this.generation += 1;
	}

	private begin(query: string): void {
		window.clearTimeout(this.timer);
		this.generation += 1;
		this.also = {};
		const empty = query.trim() === "";
		if (empty) this.oldest = this.generation;
		this.update({
			query,
			error: null,
			busy: !empty && this.settings().asYouType,
			...(empty ? { response: null, answered: "" } : {}),
		});
	}

	/** before: the answer that this one goes on with; without it, this is a first page. */
	private send(
		lane: Lane,
		mode: Mode,
		typing: boolean,
		more: Partial<SearchAsk> = {},
		before?: SearchResponse,
	): void {
		const { generation } = this;
		const counting = typing || before ? {} : { facets: [...FACETS] };
		const request = { ...this.request(mode, typing), ...counting, ...more };
		const { query } = request;
		this.update({ busy: true });
		lane.run(async () => {
			if (generation !== this.generation) return;
			try {
				const reply = await this.ask(request);
				if (!this.isWelcome(generation, typing)) return;
				if (!typing) this.settled = generation;
				this.shown = generation;
				const response = before ? joined(before, reply) : reply;
				this.update({ response, answered: query, error: null, busy: typing });
			} catch (error) {
				if (generation !== this.generation) return;
				this.update({ error: asApiError(error), busy: typing });
			}
		});
	}

	private isWelcome(generation: number, typing: boolean): boolean {
		if (generation === this.generation) return !typing || this.settled !== generation;
		return typing && generation >= this.oldest && generation > this.shown;
	}

	private update(change: Partial<SessionState>): void {
		this.state = { ...this.state, ...change };
		this.onChange(this.state);
	}
}

/** An answer with the page that follows it. */
function joined(before: SearchResponse, page: SearchResponse): SearchResponse {
	return { ...before, results: [...before.results, ...page.results], next_offset: page.next_offset };
}

/** A request that takes longer no longer keeps newer ones waiting; its answer is still shown if nothing newer is. */
const PATIENCE_MS = 3_000;

/** Runs one task at a time; of those that come meanwhile, only the newest. */
class Lane {
	private running = false;
	private next: (() => Promise<void>) | null = null;

	run(task: () => Promise<void>): void {
		if (this.running) {
			this.next = task;
			return;
		}
		this.running = true;
		let timer: number | undefined;
		const patience = new Promise<void>((resolve) => (timer = window.setTimeout(resolve, PATIENCE_MS)));
		void Promise.race([task(), patience]).finally(() => {
			window.clearTimeout(timer);
			this.running = false;
			const next = this.next;
			this.next = null;
			if (next) this.run(next);
		});
	}
}
