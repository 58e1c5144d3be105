import type { Facet, SearchResponse } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h } from "../shared/dom";
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
	most: number;
}

const KINDS: readonly Kind[] = [
	{ facet: "folder", filter: (value) => filterOf("path", `${value}/*`), shown: (value) => value, most: 4 },
	{ facet: "tag", filter: (value) => filterOf("tag", value), shown: (value) => `#${value}`, most: 5 },
	{ facet: "kind", filter: (value) => filterOf("kind", value), shown: kindWords, most: 4 },
	{ facet: "month", filter: (value) => filterOf("modified", value), shown: (value) => value, most: 4 },
];
/** What a search has the daemon count. */
export const FACETS: readonly string[] = ["profile", ...KINDS.map(({ facet }) => facet)];

/** The filters of the query, to be taken out, and what would narrow it down further, with how many notes that leaves. */
export class FacetBar {
	readonly element = h("div", {
		class: "sj-chips sj-facets",
		attrs: { role: "group", "aria-label": say("facet.label") },
	});
	private query = "";
	private counted: { facets: readonly Facet[]; total: number; query: string } = { facets: [], total: 0, query: "" };

	constructor(private readonly onQuery: (query: string) => void) {
		this.element.hidden = true;
	}

	/** An answer to the query came; null: there is nothing to narrow down. Quick answers count nothing: what is known stays until the full one. */
	show(query: string, response: SearchResponse | null): void {
		this.query = query;
		if (response === null || response.results.length === 0) this.counted = { facets: [], total: 0, query };
		else if (response.facets.length > 0)
			this.counted = { facets: response.facets, total: response.total_notes ?? 0, query };
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
		return h(
			"button",
			{
				class: "sj-chip sj-facet",
				title: part,
				attrs: { "aria-label": say("facet.remove", { filter: part }) },
				on: { click: remove },
			},
			h("span", { class: "sj-facet-name", text: part }),
			icon("close"),
		);
	}

	/** A value that all notes have narrows nothing down. */
	private offers({ facet, filter, shown, most }: Kind): HTMLElement[] {
		const { facets, total } = this.counted;
		const values = facets.find(({ name }) => name === facet)?.values ?? [];
		return values
			.filter(({ value, count: notes }) => notes < total && !hasPart(this.query, filter(value)))
			.slice(0, most)
			.map(({ value, count: notes }) =>
				h(
					"button",
					{
						class: "sj-chip sj-facet",
						title: say(`facet.${facet}`, { value }),
						attrs: {
							"aria-label": say("facet.counted", {
								value: shown(value),
								notes: say("count.notes", { count: notes }),
							}),
						},
						on: { click: () => this.onQuery(withPart(this.query, filter(value))) },
					},
					h("span", { class: "sj-facet-name", text: shown(value) }),
					h("span", { class: "sj-count", text: ` ${grouped(notes)}` }),
				),
			);
	}
}
