import type { Client } from "../../api/client";
import type { SearchEventReply } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h } from "../shared/dom";
import { listed, nameOf } from "../shared/format";
import { timeOf } from "../shared/time";
import type { Host } from "../host";
import { HiddenNotes } from "./hiddenNotes";
import { trouble } from "../shared/trouble";
import { button, emptyNotice, notOffered, retryNotice } from "../shared/notice";
import { noneNotice } from "../status/missing";

export interface SearchesViewOptions {
	client: () => Client;
	host: Host;
	/** Make a search of the list again. */
	onSearch: (query: string) => void;
}

/** The searches that the profiles remember: what, by whom, and what came of it. */
export class SearchesView {
	readonly element = h("div", { class: "sj-pane" });
	private onlyMissed = false;
	private readonly hidden: HiddenNotes;

	constructor(private readonly options: SearchesViewOptions) {
		this.hidden = new HiddenNotes(options);
	}

	/** Ask anew. Never rejects. */
	async load(): Promise<void> {
		try {
			const reply = await this.options.client().askIfOffered("GET /v1/history", { missed: this.onlyMissed });
			if (reply === null) return fill(this.element, notOffered("clock", "missing.history"));
			const none = emptyNotice("clock", say("history.none"), say("history.none.detail"));
			const instead = reply.events.length === 0 ? await noneNotice(this.options.client(), none) : null;
			this.draw(searches(reply.events), instead);
			await this.hidden.load();
		} catch (error) {
			fill(
				this.element,
				retryNotice(error, () => void this.load()),
			);
		}
	}

	private draw(events: readonly Search[], instead: HTMLElement | null): void {
		const choose = (): void => {
			this.onlyMissed = !this.onlyMissed;
			void this.load();
		};
		const chip = h("button", {
			class: "sj-chip",
			text: say("history.onlyMissed"),
			attrs: { "aria-pressed": String(this.onlyMissed) },
			on: { click: choose },
		});
		const forget = button({ label: say("history.forgetOpened"), act: () => void this.forgetOpened() });
		fill(
			this.element,
			h("div", { class: "sj-pane-head" }, h("h2", { text: say("screen.searches") }), instead === null && forget),
			(this.onlyMissed || instead === null) &&
				h("div", { class: "sj-chips", attrs: { role: "group", "aria-label": say("history.which") } }, chip),
			instead ?? h("ul", { class: "sj-findings" }, ...events.map((event) => this.row(event))),
			this.hidden.element,
		);
	}

	private async forgetOpened(): Promise<void> {
		const { client, host } = this.options;
		await client()
			.ask("DELETE /v1/opened", {})
			.then(
				({ forgotten }) => host.notify(say("history.forgotten", { count: forgotten })),
				(error: unknown) => host.notify(trouble(error)),
			);
		await this.load();
	}

	private row(event: Search): HTMLElement {
		const what =
			event.missed.length > 0
				? listed(event.missed.map((why) => say(`history.${why}`)))
				: event.opened.length > 0
					? say("history.opened", { notes: listed(event.opened.map(nameOf)) })
					: "";
		const detail = [askerOf(event), listed(event.profiles), say("count.results", { count: event.results }), what]
			.filter((part) => part !== "")
			.join(" · ");
		return h(
			"li",
			{},
			h(
				"button",
				{ class: "sj-finding", on: { click: () => this.options.onSearch(event.query) } },
				h("span", { text: event.query }),
				h("span", { class: "sj-muted" }, `${detail} · `, timeOf(event.at, new Date())),
			),
		);
	}
}

/** A search over several profiles, which each remember it. */
type Search = Omit<SearchEventReply, "profile"> & { profiles: readonly string[] };

/** One of what profiles remember of the same search, newest first. A profile knows the words that stand in its own notes. */
function searches(events: readonly SearchEventReply[]): Search[] {
	const found = new Map<string, Search>();
	for (const { profile, ...event } of events) {
		const key = `${event.at}\n${event.client}`;
		const other = found.get(key);
		const whole = other && gaps(other) < gaps(event) ? other : event;
		found.set(key, {
			...whole,
			profiles: [...(other?.profiles ?? []), profile],
			results: event.results + (other?.results ?? 0),
			opened: [...(other?.opened ?? []), ...event.opened],
		});
	}
	return [...found.values()];
}

/** How many words of a query were not kept. */
function gaps({ query }: Pick<Search, "query">): number {
	return query.split("…").length;
}

/** Who searched; of agents and vaults, which there may be several of, by name. */
function askerOf({ source, client }: Search): string {
	if (source === "") return "";
	return source === "page" || source === "terminal" ? say(`source.${source}`) : client;
}
