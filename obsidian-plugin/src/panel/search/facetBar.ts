import type { Facet, FacetValue, SearchResponse } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h, setColour } from "../shared/dom";
import { grouped } from "../shared/format";
import { icon } from "../shared/icons";
import { kindWords } from "../shared/kinds";
import { filterOf, hasPart, isFilter, partsOf, withoutPart, withPart } from "./box/queryParts";

interface Kind {
	/** As the API calls the facet. */
	facet: "folder" | "tag" | "kind" | "month";
	/** The filter that keeps exactly the notes that are counted. */
	filter: (value: string) => string;
	shown: (value: string) => string;
}

const KINDS: readonly Kind[] = [
	{ facet: "folder", filter: (value) => filterOf("path", `${value}/*`), shown: (value) => value },
	{ facet: "tag", filter: (value) => filterOf("tag", value), shown: (value) => `#${value}` },
	{ facet: "kind", filter: (value) => filterOf("kind", value), shown: kindWords },
	{ facet: "month", filter: (value) => filterOf("modified", value), shown: (value) => value },
];
/** Of each facet, so that one line has some of all. */
const MOST = 3;
/** What leaves more of the notes is not worth a click. */
const NARROWS = 2 / 3;
/** What a search has the daemon count. */
export const FACETS: readonly string[] = ["profile", ...KINDS.map(({ facet }) => facet)];

export interface FacetBarOptions {
	/** Change the query as it is by now: of two presses in a hurry the second comes before the first is answered. */
	onQuery: (change: (query: string) => string) => void;
	/** Search these profiles alone; undefined: all. */
	onProfiles: (profiles: readonly string[] | undefined) => void;
	colourOf: (profile: string) => string | null | undefined;
}

/** What was searched: the query, and in which profiles; undefined: in all. */
interface Searched {
	query: string;
	profiles: readonly string[] | undefined;
}

/** The filters of the query and the profiles chosen, to be taken out, and what would narrow it down by a third or more, with how many notes that leaves. */
export class FacetBar {
	readonly element = h("div", {
		class: "sj-chips sj-facets",
		attrs: { role: "group", "aria-label": say("facet.label") },
	});
	private searched: Searched = { query: "", profiles: undefined };
	private counted: { facets: readonly Facet[]; total: number; query: string } = { facets: [], total: 0, query: "" };

	constructor(private readonly options: FacetBarOptions) {
		this.element.hidden = true;
	}

	/** An answer came; null: there is nothing to narrow down. Quick answers count nothing: what is known stays until the full one. */
	show(searched: Searched, response: SearchResponse | null): void {
		this.searched = searched;
		const { query } = searched;
		if (response === null || response.results.length === 0) this.counted = { facets: [], total: 0, query };
		else if (response.facets.length > 0)
			this.counted = { facets: response.facets, total: response.total_notes ?? 0, query };
		this.draw();
	}

	private draw(): void {
		const { query, profiles = [] } = this.searched;
		const { onQuery, onProfiles } = this.options;
		const filters = partsOf(query)
			.filter(isFilter)
			.map((part) => this.taken(part, () => onQuery((now) => withoutPart(now, part))));
		const chosen = (query === "" ? [] : profiles).map((name) => {
			const left = profiles.filter((other) => other !== name);
			return this.taken(name, () => onProfiles(left.length > 0 ? left : undefined));
		});
		const offers = [...this.profileOffers(), ...KINDS.flatMap((kind) => this.offers(kind))];
		const chips = [...filters, ...chosen, ...offers];
		this.element.hidden = chips.length === 0;
		this.element.classList.toggle("is-old", this.counted.query !== query);
		fill(this.element, ...chips);
	}

	private taken(filter: string, remove: () => void): HTMLElement {
		return h(
			"button",
			{
				class: "sj-chip sj-facet sj-facet-taken",
				title: filter,
				attrs: { "aria-label": say("facet.remove", { filter }) },
				on: { click: remove },
			},
			h("span", { class: "sj-facet-name", text: filter }),
			icon("close"),
		);
	}

	private profileOffers(): HTMLElement[] {
		const { onProfiles, colourOf } = this.options;
		const { profiles = [] } = this.searched;
		return this.narrowing("profile", (value) => !profiles.includes(value)).map((each) => {
			const chip = this.offer(each, each.value, say("facet.profile", { value: each.value }), () =>
				onProfiles([each.value]),
			);
			chip.prepend(h("span", { class: "sj-dot" }));
			setColour(chip, colourOf(each.value));
			return chip;
		});
	}

	private offers({ facet, filter, shown }: Kind): HTMLElement[] {
		const { query } = this.searched;
		return this.narrowing(facet, (value) => !hasPart(query, filter(value))).map((each) =>
			this.offer(each, shown(each.value), say(`facet.${facet}`, { value: each.value }), () =>
				this.options.onQuery((now) => withPart(now, filter(each.value))),
			),
		);
	}

	private narrowing(facet: string, isNew: (value: string) => boolean): FacetValue[] {
		const { facets, total } = this.counted;
		const values = facets.find(({ name }) => name === facet)?.values ?? [];
		return values.filter(({ value, count }) => count <= total * NARROWS && isNew(value)).slice(0, MOST);
	}

	private offer({ count }: FacetValue, shown: string, title: string, take: () => void): HTMLElement {
		const label = say("facet.counted", { value: shown, notes: say("count.notes", { count }) });
		return h(
			"button",
			{ class: "sj-chip sj-facet", title, attrs: { "aria-label": label }, on: { click: take } },
			h("span", { class: "sj-facet-name", text: shown }),
			h("span", { class: "sj-count", text: ` ${grouped(count)}` }),
		);
	}
}
