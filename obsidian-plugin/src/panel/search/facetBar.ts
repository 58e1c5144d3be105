import type { Facet, SearchResponse } from "../../api/wire";
import { fill, h } from "../shared/dom";
import { count, grouped } from "../shared/format";
import { icon } from "../shared/icons";
import { filterOf, hasPart, isFilter, partsOf, withoutPart, withPart } from "./queryParts";

interface Kind {
	/** As the API calls the facet. */
	facet: string;
	/** What such a value is, to be said before it. */
	about: string;
	/** The filter that keeps exactly the notes that are counted. */
	filter: (value: string) => string;
	shown: (value: string) => string;
	most: number;
}

const KINDS: readonly Kind[] = [
	{ facet: "folder", about: "folder", filter: (value) => filterOf("path", `${value}/*`), shown: (value) => value, most: 4 },
	{ facet: "tag", about: "tag", filter: (value) => filterOf("tag", value), shown: (value) => `#${value}`, most: 5 },
	{ facet: "month", about: "changed in", filter: (value) => filterOf("modified", value), shown: (value) => value, most: 4 },
];
/** What a search has the daemon count. */
export const FACETS: readonly string[] = ["profile", ...KINDS.map(({ facet }) => facet)];

/** The filters of the query, to be taken out, and what would narrow it down further, with how many notes that leaves. */
export class FacetBar {
	readonly element = h("div", { class: "sj-chips sj-facets", attrs: { role: "group", "aria-label": "Narrow down" } });
	private query = "";
	private counted: { facets: readonly Facet[]; total: number; query: string } = { facets: [], total: 0, query: "" };

	constructor(private readonly onQuery: (query: string) => void) {
		this.element.hidden = true;
	}

	/** An answer to the query came; null: there is nothing to narrow down. Quick answers count nothing: what is known stays until the full one. */
	show(query: string, response: SearchResponse | null): void {
		this.query = query;
		if (response === null || response.results.length === 0) this.counted = { facets: [], total: 0, query };
		else if (response.facets.length > 0) this.counted = { facets: response.facets, total: response.total_notes ?? 0, query };
		this.draw();
	}

	private draw(): void {
		const filters = partsOf(this.query).filter(isFilter);
		const offers = KINDS.flatMap((kind) => this.offers(kind));
		this.element.hidden = filters.length + offers.length === 0;
		this.element.classList.toggle("is-old", this.counted.query !== this.query);
		fill(this.element, ...filters.map((part) => this.filterChip(part)), ...offers);
	}

	private filterChip(part: string): HTMLElement {
		const remove = (): void => this.onQuery(withoutPart(this.query, part));
		return h("button", { class: "sj-chip sj-facet", title: part, attrs: { "aria-label": `Remove the filter ${part}` }, on: { click: remove } }, h("span", { class: "sj-facet-name", text: part }), icon("close"));
	}

	/** A value that all notes have narrows nothing down. */
	private offers({ facet, about, filter, shown, most }: Kind): HTMLElement[] {
		const { facets, total } = this.counted;
		const values = facets.find(({ name }) => name === facet)?.values ?? [];
		return values
			.filter(({ value, count: notes }) => notes < total && !hasPart(this.query, filter(value)))
			.slice(0, most)
			.map(({ value, count: notes }) =>
				h(
					"button",
					{ class: "sj-chip sj-facet", title: `Only ${about} ${value}`, attrs: { "aria-label": `${shown(value)} ${count(notes, "note")}` }, on: { click: () => this.onQuery(withPart(this.query, filter(value))) } },
					h("span", { class: "sj-facet-name", text: shown(value) }),
					h("span", { class: "sj-count", text: ` ${grouped(notes)}` }),
				),
			);
	}
}
