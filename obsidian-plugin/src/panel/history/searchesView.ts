import type { Client } from "../../api/client";
import type { SearchEventReply } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h } from "../shared/dom";
import { ago, listed, nameOf } from "../shared/format";
import { emptyNotice, notOffered, retryNotice } from "../shared/notice";

export interface SearchesViewOptions {
	client: () => Client;
	/** Make a search of the list again. */
	onSearch: (query: string) => void;
}

/** The searches that the profiles remember: what, by whom, and what came of it. */
export class SearchesView {
	readonly element = h("div", { class: "sj-pane sj-searches" });
	private onlyMissed = false;

	constructor(private readonly options: SearchesViewOptions) {}

	/** Ask anew. Never rejects. */
	async load(): Promise<void> {
		try {
			const reply = await this.options.client().askIfOffered("GET /v1/history", { missed: this.onlyMissed });
			if (reply === null) return fill(this.element, notOffered("clock", "missing.history"));
			this.draw(reply.events);
		} catch (error) {
			fill(
				this.element,
				retryNotice(error, () => void this.load()),
			);
		}
	}

	private draw(events: readonly SearchEventReply[]): void {
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
		const none = emptyNotice("clock", say("history.none"), say("history.none.detail"));
		fill(
			this.element,
			h("div", { class: "sj-pane-head" }, h("h2", { text: say("history.title") })),
			h("div", { class: "sj-chips", attrs: { role: "group", "aria-label": say("history.which") } }, chip),
			events.length > 0 ? h("ul", { class: "sj-findings" }, ...events.map((event) => this.row(event))) : none,
		);
	}

	private row(event: SearchEventReply): HTMLElement {
		const what =
			event.missed.length > 0
				? listed(event.missed.map((why) => say(`history.${why}`)))
				: event.opened.length > 0
					? say("history.opened", { notes: listed(event.opened.map(nameOf)) })
					: "";
		const detail = [
			askerOf(event),
			event.profile,
			say("count.results", { count: event.results }),
			what,
			ago(event.at, new Date()),
		]
			.filter((part) => part !== "")
			.join(" · ");
		return h(
			"li",
			{},
			h(
				"button",
				{ class: "sj-finding", on: { click: () => this.options.onSearch(event.query) } },
				h("span", { text: event.query }),
				h("span", { class: "sj-muted", text: detail }),
			),
		);
	}
}

/** Who searched; of agents and vaults, which there may be several of, by name. */
function askerOf({ source, client }: SearchEventReply): string {
	if (source === "") return "";
	return source === "page" || source === "terminal" ? say(`source.${source}`) : client;
}
