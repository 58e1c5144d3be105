import type { SuggestKind } from "../../api/client";
import type { Suggestion } from "../../api/wire";
import { fill, h, setAttr, uniqueId } from "../shared/dom";
import { icon } from "../shared/icons";
import { addFilter, complete, filterAt, type FilterToken } from "./completion";

export interface SearchBoxOptions {
	placeholder: string;
	/** The listbox that the arrow keys move in. */
	controls: string;
	suggest: (kind: SuggestKind, prefix: string) => Promise<Suggestion[] | null>;
	/** Names that complete `profile:`. */
	profiles: () => readonly string[];
	onInput: (query: string) => void;
	/** A key that the box did not use itself. */
	onKey: (event: KeyboardEvent) => void;
}

const MOST_SUGGESTIONS = 8;

/** The text field, with completion for the value of a filter at the caret. */
export class SearchBox {
	readonly element: HTMLElement;
	readonly input: HTMLInputElement;
	private readonly menu: HTMLElement;
	private readonly menuId = uniqueId("suggestions");
	private token: FilterToken | null = null;
	private values: readonly Suggestion[] = [];
	private chosen = 0;
	private asked = 0;
	private active: string | null = null;

	constructor(private readonly options: SearchBoxOptions) {
		this.input = h("input", {
			class: "sj-input",
			attrs: {
				type: "search",
				placeholder: options.placeholder,
				"aria-label": "Search notes",
				role: "combobox",
				"aria-autocomplete": "list",
				"aria-expanded": "false",
				autocomplete: "off",
				autocapitalize: "off",
				spellcheck: "false",
				enterkeyhint: "search",
			},
			on: {
				input: () => this.changed(),
				keydown: (event) => this.pressed(event),
				blur: () => this.closeMenu(),
				click: () => void this.offer(),
			},
		});
		this.menu = h("div", { class: "sj-suggest", attrs: { role: "listbox", id: this.menuId, "aria-label": "Completions" } });
		this.menu.hidden = true;
		const clear = h("button", { class: "sj-clear", attrs: { type: "button", "aria-label": "Clear the search", tabindex: "-1" }, on: { click: () => this.setQuery("") } }, icon("close"));
		this.element = h("div", { class: "sj-box" }, icon("search"), this.input, clear, this.menu);
		this.showActive(null);
	}

	get query(): string {
		return this.input.value;
	}

	/** Put a query in as if it were typed, and the caret at its end. */
	setQuery(query: string, caret = query.length): void {
		this.input.value = query;
		this.input.focus();
		this.input.setSelectionRange(caret, caret);
		this.changed();
	}

	addFilter(filter: string): void {
		const { query, caret } = addFilter(this.query, filter);
		this.setQuery(query, caret);
	}

	/** Tell assistive technology which result is selected. */
	showActive(optionId: string | null): void {
		this.active = optionId;
		if (this.menu.hidden) this.point(this.options.controls, optionId, optionId !== null);
	}

	private point(listbox: string, optionId: string | null, expanded: boolean): void {
		setAttr(this.input, "aria-controls", listbox);
		setAttr(this.input, "aria-expanded", String(expanded));
		setAttr(this.input, "aria-activedescendant", optionId ?? undefined);
	}

	private changed(): void {
		this.element.classList.toggle("has-text", this.query !== "");
		this.options.onInput(this.query);
		void this.offer();
	}

	private async offer(): Promise<void> {
		const asked = (this.asked += 1);
		const token = filterAt(this.query, this.input.selectionStart ?? this.query.length, this.options.profiles());
		if (!token) return this.closeMenu();
		const values = token.kind ? await this.options.suggest(token.kind, token.prefix) : fixedValues(token);
		if (asked !== this.asked) return;
		this.token = token;
		this.values = (values ?? []).filter(({ value }) => value !== token.prefix).slice(0, MOST_SUGGESTIONS);
		this.chosen = 0;
		if (this.values.length === 0) this.closeMenu();
		else this.drawMenu();
	}

	private drawMenu(): void {
		const options = this.values.map(({ value, notes }, index) =>
			h(
				"div",
				{
					class: `sj-suggestion${index === this.chosen ? " is-selected" : ""}`,
					attrs: { role: "option", id: `${this.menuId}-${index}`, "aria-selected": String(index === this.chosen) },
					on: {
						mousedown: (event) => {
							event.preventDefault();
							this.accept(index);
						},
					},
				},
				h("span", { text: value }),
				notes !== undefined && h("span", { class: "sj-suggestion-count", text: String(notes) }),
			),
		);
		fill(this.menu, ...options);
		this.menu.hidden = false;
		this.point(this.menuId, `${this.menuId}-${this.chosen}`, true);
	}

	private closeMenu(): void {
		this.asked += 1;
		this.menu.hidden = true;
		this.showActive(this.active);
	}

	private accept(index: number): void {
		const value = this.values[index]?.value;
		if (value === undefined || !this.token) return;
		const { query, caret } = complete(this.query, this.token, value);
		this.setQuery(query, caret);
	}

	private pressed(event: KeyboardEvent): void {
		if (this.menu.hidden || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
			this.options.onKey(event);
			return;
		}
		const used = this.menuKey(event.key);
		if (used) {
			event.preventDefault();
			event.stopPropagation();
		} else this.options.onKey(event);
	}

	private menuKey(key: string): boolean {
		const last = this.values.length - 1;
		if (key === "ArrowDown" || key === "ArrowUp") {
			this.chosen = key === "ArrowDown" ? (this.chosen === last ? 0 : this.chosen + 1) : this.chosen === 0 ? last : this.chosen - 1;
			this.drawMenu();
		} else if (key === "Enter" || key === "Tab") this.accept(this.chosen);
		else if (key === "Escape") this.closeMenu();
		else return false;
		return true;
	}
}

function fixedValues(token: FilterToken): Suggestion[] {
	return token.fixed.filter((value) => value.toLowerCase().startsWith(token.prefix.toLowerCase())).map((value) => ({ value }));
}
