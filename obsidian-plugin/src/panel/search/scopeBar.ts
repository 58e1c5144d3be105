import type { Facet, ProfileReply } from "../../api/wire";
import type { Mode, Sort } from "../../api/words";
import { say } from "../../words/say";
import { Disclosure } from "../shared/disclosure";
import { fill, h, setAttr, setColour, uniqueId } from "../shared/dom";
import { grouped, listed } from "../shared/format";
import { icon } from "../shared/icons";

const MODES = ["hybrid", "lexical", "semantic"] as const satisfies readonly Mode[];
const SORTS = ["relevance", "-modified", "-created", "title"] as const satisfies readonly Sort[];
const SORTS_OF_QUERIES = ["modified", "created", "path"] as const satisfies readonly Sort[];

/** What a search is narrowed to, and how it is ordered, besides its query. */
export interface Scope {
	/** undefined: every profile that the token sees. */
	profiles: readonly string[] | undefined;
	mode: Mode;
	sort: Sort;
}

/** What a search view shows, to be come back to. */
export interface SearchAddress extends Scope {
	query: string;
}

export function isMode(value: string): value is Mode {
	return MODES.some((mode) => mode === value);
}

function isSort(value: string): value is Sort {
	return SORTS.some((sort) => sort === value);
}

/**
 * A query and its order as an address or a state names them. An order that only queries name is put into the query, before
 * all else, where no quotation mark that is left open takes it in and an order that the query names itself counts instead.
 */
export function orderedQuery(query: string, sort: string, otherwise: Sort): Pick<SearchAddress, "query" | "sort"> {
	if (isSort(sort)) return { query, sort };
	const isOfQueries = query.trim() !== "" && SORTS_OF_QUERIES.some((known) => known === sort);
	return isOfQueries ? { query: `sort:${sort} ${query}`, sort: "relevance" } : { query, sort: otherwise };
}

/** A state as it was saved, whatever an older version left there; what it lacks is as in `otherwise`. */
export function readSearchAddress(saved: unknown, otherwise: SearchAddress): SearchAddress {
	const { query, profiles, mode, sort } = (typeof saved === "object" && saved !== null ? saved : {}) as Record<
		string,
		unknown
	>;
	const isNames =
		Array.isArray(profiles) && profiles.length > 0 && profiles.every((name) => typeof name === "string");
	return {
		...orderedQuery(
			typeof query === "string" ? query : otherwise.query,
			typeof sort === "string" ? sort : "",
			otherwise.sort,
		),
		profiles: isNames ? profiles : undefined,
		mode: typeof mode === "string" && isMode(mode) ? mode : otherwise.mode,
	};
}

/** Says in which order results come, in which mode and which profiles are searched; behind that, all three are chosen. */
export class ScopeBar {
	readonly element = h("div", { class: "sj-scope" });
	private readonly words = h("span", { class: "sj-scope-words" });
	private readonly chips = h("div", {
		class: "sj-chips",
		attrs: { role: "group", "aria-label": say("scope.profiles") },
	});
	private readonly modes = h("div", {
		class: "sj-modes",
		attrs: { role: "group", "aria-label": say("scope.modes") },
	});
	private readonly sorts: HTMLSelectElement;
	private readonly disclosure: Disclosure;
	private profiles: readonly ProfileReply[] = [];
	private chosen = new Set<string>();
	private counts: ReadonlyMap<string, number> = new Map();

	constructor(
		private scope: Scope,
		private readonly onChange: (scope: Scope) => void,
	) {
		const modes = MODES.map((mode) =>
			h("button", {
				class: "sj-mode",
				text: say(`mode.${mode}`),
				title: say(`mode.${mode}.about`),
				on: { click: () => this.choose({ mode }) },
			}),
		);
		fill(this.modes, ...modes);
		const sorts = SORTS.map((sort) => h("option", { text: say(`sort.${sort}`), attrs: { value: sort } }));
		this.sorts = h("select", { class: "sj-sort", attrs: { "aria-label": say("scope.order") } }, ...sorts);
		this.sorts.addEventListener(
			"change",
			() => isSort(this.sorts.value) && this.choose({ sort: this.sorts.value }),
		);
		const button = h(
			"button",
			{ class: "sj-quiet sj-scope-button", title: say("scope.options") },
			this.words,
			icon("down"),
		);
		const panel = h(
			"div",
			{
				class: "sj-panel sj-options",
				attrs: { id: uniqueId("options"), role: "group", "aria-label": say("scope.options") },
			},
			this.chips,
			this.modes,
			this.sorts,
		);
		this.element.append(button, panel);
		this.disclosure = new Disclosure(this.element, button, panel);
		this.show(scope);
	}

	/** Hide what can be chosen. Says whether it was shown. */
	close(): boolean {
		return this.disclosure.close();
	}

	/** The profiles there are. A chosen one that is gone is chosen no more. */
	setProfiles(profiles: readonly ProfileReply[]): void {
		this.profiles = profiles;
		const left = [...this.chosen].filter((name) => profiles.some((profile) => profile.name === name));
		if (left.length < this.chosen.size && profiles.length > 0)
			this.choose({ profiles: left.length > 0 ? left : undefined });
		else this.draw();
	}

	/** How many of the notes that match are in each profile; nothing: it is not known. */
	count(facet: Facet | undefined): void {
		this.counts = new Map((facet?.values ?? []).map(({ value, count: notes }) => [value, notes]));
		this.draw();
	}

	/** Show a scope that came from elsewhere, an address say. */
	show(scope: Scope): void {
		this.scope = scope;
		this.chosen = new Set(scope.profiles);
		this.sorts.value = scope.sort;
		this.modes
			.querySelectorAll("button")
			.forEach((button, index) => setAttr(button, "aria-pressed", String(MODES[index] === scope.mode)));
		this.draw();
	}

	/** As if it were chosen here. */
	choose(change: Partial<Scope>): void {
		this.show({ ...this.scope, ...change });
		this.onChange(this.scope);
	}

	/** A chip selects or leaves its profile; none selected means all. */
	private toggle(name: string | null): void {
		const chosen = new Set(this.chosen);
		if (name === null) chosen.clear();
		else if (!chosen.delete(name)) chosen.add(name);
		const isAll = chosen.size === 0 || this.profiles.every((profile) => chosen.has(profile.name));
		this.choose({ profiles: isAll ? undefined : [...chosen] });
	}

	private draw(): void {
		const { mode, profiles } = this.scope;
		const order = this.sorts.options[this.sorts.selectedIndex]?.text ?? "";
		const parts = [order, mode === "hybrid" ? "" : say(`mode.${mode}`), profiles ? listed([...profiles]) : ""];
		const everywhere = !profiles && this.profiles.length > 1 ? ` · ${say("scope.everywhere")}` : "";
		fill(
			this.words,
			parts.filter((part) => part !== "").join(" · "),
			h("span", { class: "sj-scope-everywhere", text: everywhere }),
		);
		this.drawChips();
	}

	/** Drawn once; pressing and counting only change what is there, so that the focus stays where it is. */
	private drawChips(): void {
		this.chips.hidden = this.profiles.length < 2;
		if (this.chips.querySelectorAll("button").length !== this.profiles.length + 1) {
			fill(
				this.chips,
				this.chip(null, say("scope.all"), null),
				...this.profiles.map(({ name, colour }) => this.chip(name, name, colour)),
			);
		}
		this.chips.querySelectorAll("button").forEach((chip, index) => {
			const name = this.profiles[index - 1]?.name;
			setAttr(chip, "aria-pressed", String(name === undefined ? this.chosen.size === 0 : this.chosen.has(name)));
			const notes = name === undefined ? undefined : this.counts.get(name);
			setAttr(
				chip,
				"aria-label",
				notes === undefined
					? undefined
					: say("facet.counted", { value: name ?? "", notes: say("count.notes", { count: notes }) }),
			);
			const number = chip.querySelector(".sj-count");
			if (number) number.textContent = notes === undefined ? "" : ` ${grouped(notes)}`;
		});
	}

	private chip(name: string | null, label: string, colour: string | null): HTMLElement {
		const dot = name !== null && h("span", { class: "sj-dot" });
		const chip = h(
			"button",
			{ class: "sj-chip", on: { click: () => this.toggle(name) } },
			dot,
			label,
			h("span", { class: "sj-count" }),
		);
		setColour(chip, colour);
		return chip;
	}
}
