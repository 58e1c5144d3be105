import type { SearchAsk, SearchResponse } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h } from "../shared/dom";
import { offersFor, type Offer, type Weak } from "./remedies";
import { Newest } from "../shared/newest";

/** Searches that find what a weak one did not, as chips; Alt and a digit takes one. */
export class Offers {
	readonly element = h("div", {
		class: "sj-chips sj-offers",
		attrs: { role: "group", "aria-label": say("offer.label") },
	});
	private readonly asked = new Newest();
	private offers: readonly Offer[] = [];

	constructor(
		private readonly search: (request: SearchAsk) => Promise<SearchResponse>,
		private readonly isMac: boolean,
		private readonly onTake: (offer: Offer) => void,
	) {
		this.element.hidden = true;
	}

	/** Look for what helps; null: nothing needs to. Never rejects. */
	async help(weak: Weak | null): Promise<void> {
		const isNewest = this.asked.begin();
		this.draw([]);
		if (weak === null) return;
		const offers = await offersFor(weak, this.search).catch(() => []);
		if (isNewest()) this.draw(offers);
	}

	/** Take the offer of this number, from 1 on. Says whether there is one. */
	take(number: number): boolean {
		const offer = this.offers[number - 1];
		if (offer) this.onTake(offer);
		return offer !== undefined;
	}

	private draw(offers: readonly Offer[]): void {
		this.offers = offers;
		this.element.hidden = offers.length === 0;
		fill(this.element, ...offers.map((offer, index) => this.chip(offer, index + 1)));
	}

	private chip({ label, notes }: Offer, number: number): HTMLElement {
		const keys = this.isMac ? `⌥${number}` : `${say("key.Alt")} ${number}`;
		return h(
			"button",
			{ class: "sj-chip sj-offer", on: { click: () => this.take(number) } },
			h("span", { class: "sj-facet-name", text: label }),
			h("span", { class: "sj-count", text: ` ${notes} ` }),
			h("kbd", { text: keys }),
		);
	}
}
