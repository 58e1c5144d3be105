import { say } from "../../words/say";
import type { Storage } from "../host";
import { h, muted } from "../shared/dom";

const KEY = "named-searches";
const MOST = 100;

/** A search that the user gave a name, on this device. */
export interface NamedSearch {
	name: string;
	query: string;
}

/** Searches by the names that the user gave them; a name has one query, and a query one name. */
export class NamedSearches {
	constructor(private readonly storage: Storage) {}

	/** By name. */
	list(): NamedSearch[] {
		const saved = this.storage.read(KEY);
		return (Array.isArray(saved) ? saved : []).filter(isNamedSearch);
	}

	nameOf(query: string): string {
		return this.list().find((each) => each.query === query.trim())?.name ?? "";
	}

	/** Give a query a name, in the place of the one that it has; an empty one takes it away. */
	name(query: string, name: string): void {
		const named = { name: name.trim(), query: query.trim() };
		const others = this.list().filter((each) => each.query !== named.query && each.name !== named.name);
		const all = named.name === "" ? others : [...others, named].sort((a, b) => a.name.localeCompare(b.name));
		this.storage.write(KEY, all.slice(0, MOST));
	}
}

function isNamedSearch(saved: unknown): saved is NamedSearch {
	const { name, query } = (saved ?? {}) as Partial<NamedSearch>;
	return typeof name === "string" && typeof query === "string";
}

/** Asks for the name of a search. onName: what was said; null where it stays as it is. */
export function namingForm(name: string, onName: (name: string | null) => void): HTMLElement {
	const field = h("input", { class: "sj-field", attrs: { maxlength: "80", "aria-label": say("acting.named") } });
	field.value = name;
	const form = h(
		"form",
		{
			class: "sj-acting",
			on: {
				submit: (event) => {
					event.preventDefault();
					onName(field.value);
				},
				keydown: (event) => {
					if (event.key !== "Escape") return;
					event.stopPropagation();
					onName(null);
				},
			},
		},
		muted(say("acting.namedAbout")),
		h(
			"div",
			{ class: "sj-card-actions" },
			field,
			h("button", { class: "sj-button sj-button-main", text: say("do.save"), attrs: { type: "submit" } }),
			h("button", {
				class: "sj-button",
				text: say("do.cancel"),
				attrs: { type: "button" },
				on: { click: () => onName(null) },
			}),
		),
	);
	return form;
}
