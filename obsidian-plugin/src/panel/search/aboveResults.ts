import type { Client } from "../../api/client";
import type { SearchResponse } from "../../api/wire";
import type { Place } from "../host";
import { AnswerCard } from "../results/answerCard";
import { Banner, type Message } from "../shared/banner";
import { fill, h } from "../shared/dom";
import { Speaker } from "../shared/speaker";
import { FacetBar } from "./facetBar";
import { NamedFolders } from "./namedFolders";
import { filterOf } from "./box/queryParts";
import { messagesOf, noticeInstead, spokenSummary, summaryOf, type NoticeActions } from "./notices";
import { Offers } from "./offers";
import type { Remedy } from "./remedies";
import type { Scope } from "./scopeBar";
import type { SessionState } from "./session";

export interface AboveResultsOptions extends NoticeActions {
	client: Client;
	/** What the box holds by now, answered or not. */
	query: () => string;
	scope: () => Scope;
	/** Names of all profiles. */
	profiles: () => readonly string[];
	/** Search these profiles alone; undefined: all. */
	narrow: (profiles: Scope["profiles"]) => void;
	colourOf: (profile: string) => string | null | undefined;
	/** What is to be known of the search has changed. */
	onMessages?: ((messages: readonly Message[]) => void) | undefined;
	/** Search with another query, in another scope. */
	take: (remedy: Remedy) => void;
	open: (place: Place, event: MouseEvent) => void;
}

/** What stands between the box and the results: how many there are, what narrows them down, what to know of them, and the answer to a question. */
export class AboveResults {
	readonly summary = h("div", { class: "sj-summary", attrs: { "aria-hidden": "true" } });
	readonly element: HTMLElement;
	readonly speaker = new Speaker();
	readonly offers: Offers;
	private readonly banner = new Banner("sj-banner", "alert");
	private readonly notice = h("div", { class: "sj-message" });
	private readonly facets: FacetBar;
	private readonly folders: NamedFolders;
	private readonly card: AnswerCard;
	/** The answer about which help was looked for. */
	private helped: SearchResponse | null = null;

	constructor(private readonly options: AboveResultsOptions) {
		const { client, host } = options;
		this.facets = new FacetBar({
			onQuery: (change) => options.search(change(options.query())),
			onProfiles: (profiles) => options.narrow(profiles),
			colourOf: (profile) => options.colourOf(profile),
		});
		this.offers = new Offers(
			(request) => client.ask("POST /v1/search", request),
			host.isMac,
			(offer) => options.take(offer),
		);
		this.folders = new NamedFolders(
			async (ask) => (await client.askIfOffered("GET /v1/suggest", ask))?.suggestions ?? [],
			(folder) => host.revealFolder?.(folder) || options.search(filterOf("path", folder)),
		);
		this.card = new AnswerCard({
			ask: (question, profiles) => client.askIfOffered("POST /v1/answer", { question, profiles }),
			askModel: (question, profiles) => client.ask("POST /v1/ask", { question, profiles }),
			open: options.open,
		});
		this.element = h(
			"div",
			{ class: "sj-above" },
			this.facets.element,
			this.banner.element,
			this.notice,
			this.offers.element,
			this.folders.element,
			this.card.element,
			this.speaker.element,
		);
	}

	/** Show how a search stands. */
	show(state: SessionState): void {
		const { response, answered, error, query } = state;
		this.tell(messagesOf(state, this.options), noticeInstead(state, this.options));
		if (error && query !== answered) return this.forget("");
		if (!response) return;
		this.say(summaryOf(response));
		this.facets.show({ query: answered, profiles: this.options.scope().profiles }, response);
		if (query !== answered || state.busy) return;
		this.speaker.state(spokenSummary(response));
		this.help(state, response);
	}

	/** Nothing is searched for: say this instead. */
	clear(notice: HTMLElement | null): void {
		this.tell([], notice);
		this.forget("");
	}

	private help({ query }: SessionState, response: SearchResponse): void {
		if (response === this.helped) return;
		const { scope, profiles } = this.options;
		this.helped = response;
		const isWeak = response.relevance === "low" || response.results.length === 0;
		void this.offers.help(isWeak ? { query, scope: scope(), response, profiles: profiles() } : null);
		void this.folders.show(query, scope().profiles);
		const isAnswerable = response.results.length > 0 && scope().sort === "relevance";
		void this.card.answer(isAnswerable ? query : null, scope().profiles);
	}

	private forget(words: string): void {
		this.say(words);
		this.facets.show({ query: "", profiles: undefined }, null);
		this.helped = null;
		void this.offers.help(null);
		void this.folders.show("", undefined);
		void this.card.answer(null, undefined);
		this.speaker.state("");
	}

	/** One line: what does not fit is shown under the pointer. */
	private say(words: string): void {
		this.summary.textContent = this.summary.title = words;
	}

	private tell(messages: readonly Message[], notice: HTMLElement | null): void {
		this.banner.show(messages);
		this.options.onMessages?.(messages);
		if ((notice?.textContent ?? "") !== this.notice.textContent) fill(this.notice, notice);
	}
}
