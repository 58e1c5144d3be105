import type { SuggestAsk, Suggestion } from "../../../api/wire";
import { say } from "../../../words/say";
import { fill, h, setAttr, uniqueId } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { addFilter, complete, stillFitting, tokenAt, type Choice, type Token } from "./completion";
import { Newest } from "../../shared/newest";

export interface SearchBoxOptions {
	placeholder: string;
	/** The listbox that the arrow keys move in. */
	controls: string;
	suggest: (kind: SuggestAsk["kind"], prefix: string) => Promise<Suggestion[] | null>;
	/** Names that complete `profile:`. */
	profiles: () => readonly string[];
	onInput: (query: string) => void;
	/** A key that the box did not use itself. */
	onKey: (event: KeyboardEvent) => void;
}

const MOST_CHOICES = 8;
const HANGUL = /[\uac00-\ud7a3]$/u;

/**
 * The text field, with completion for filters at the caret.
 *
 * Where the user is in a filter already, the completions take the arrow keys and Enter. Where it may be a plain word, they
 * take Tab, Escape and clicks alone, and a result stays the active one.
 */
export class SearchBox {
	readonly element: HTMLElement;
	readonly input: HTMLInputElement;
	private readonly menu: HTMLElement;
	private readonly menuId = uniqueId("suggestions");
	private token: Token | null = null;
	private choices: readonly Choice[] = [];
	private chosen = 0;
	private readonly asked = new Newest();
	private active: string | null = null;

	constructor(private readonly options: SearchBoxOptions) {
		this.input = h("input", {
			class: "sj-input",
			attrs: {
				type: "search",
				dir: "auto",
				placeholder: options.placeholder,
				"aria-label": say("box.label"),
				role: "combobox",
				"aria-autocomplete": "list",
				autocomplete: "off",
				autocapitalize: "off",
				spellcheck: "false",
				enterkeyhint: "search",
			},
			on: {
				input: (event) => this.typed(event),
				compositionend: () => this.changed(),
				keydown: (event) => this.pressed(event),
				blur: () => this.closeMenu(),
				click: () => void this.offer(),
			},
		});
		this.menu = h("div", {
			class: "sj-suggest",
			attrs: { role: "listbox", id: this.menuId, "aria-label": say("box.completions") },
		});
		this.menu.hidden = true;
		const clear = h(
			"button",
			{
				class: "sj-clear",
				attrs: { "aria-label": say("box.clear"), tabindex: "-1" },
				on: { click: () => this.setQuery("") },
			},
			icon("close"),
		);
		this.element = h("div", { class: "sj-box" }, icon("search"), this.input, clear, this.menu);
		this.showActive(null);
	}

	get query(): string {
		return this.input.value;
	}

	/** Is some of the text selected? */
	get hasSelection(): boolean {
		return this.input.selectionStart !== this.input.selectionEnd;
	}

	/** Does the caret stand behind the last letter? */
	get isAtEnd(): boolean {
		return this.input.selectionStart === this.query.length && !this.hasSelection;
	}

	/** Put a query in as if it were typed, and the caret at its end. */
	setQuery(query: string, caret = query.length): void {
		this.input.value = query;
		this.input.focus();
		this.input.setSelectionRange(caret, caret);
		this.changed();
	}

	/** Put in a query that was not typed here: nobody is told, nothing is offered, and the focus stays. */
	replace(query: string): void {
		this.closeMenu();
		this.input.value = query;
		this.element.classList.toggle("has-text", query !== "");
	}

	addFilter(filter: string): void {
		const { query, caret } = addFilter(this.query, filter);
		this.setQuery(query, caret);
	}

	/** Close the completions, if they are open. Says whether they were. */
	dismiss(): boolean {
		const wasOpen = !this.menu.hidden;
		this.closeMenu();
		return wasOpen;
	}

	/** Tell assistive technology which result is selected. */
	showActive(optionId: string | null): void {
		this.active = optionId;
		if (this.menu.hidden || this.token?.isWord) this.point(this.options.controls, optionId, optionId !== null);
	}

	private point(listbox: string, optionId: string | null, expanded: boolean): void {
		setAttr(this.input, "aria-controls", listbox);
		setAttr(this.input, "aria-expanded", String(expanded));
		setAttr(this.input, "aria-activedescendant", optionId ?? undefined);
	}

	/** What an input method composes is not yet what the user means, but for a Korean syllable: it is meant as it stands. */
	private typed(event: Event): void {
		const { isComposing, data } = event as InputEvent;
		if (!isComposing || HANGUL.test(data ?? "")) this.changed();
	}

	private changed(): void {
		this.element.classList.toggle("has-text", this.query !== "");
		this.options.onInput(this.query);
		void this.offer();
	}

	/** Show what completes the text as it reads now: at once what is known to fit, then what the daemon answers. */
	private async offer(): Promise<void> {
		const isNewest = this.asked.begin();
		const token = tokenAt(this.query, this.input.selectionStart ?? this.query.length, this.options.profiles());
		this.show(token, token?.kind ? stillFitting(this.choices, this.token, token) : (token?.fixed ?? []));
		if (!token?.kind) return;
		const found = await this.options.suggest(token.kind, token.prefix);
		if (isNewest()) this.show(token, (found ?? []).map(choiceOf));
	}

	/** `choices` must be for `token`, and `token` for the text in the box: whatever is shown can be accepted. */
	private show(token: Token | null, choices: readonly Choice[]): void {
		const movedTo = this.chosen > 0 ? this.choices[this.chosen]?.value : undefined;
		this.token = token;
		this.choices = choices.filter(({ value }) => value !== token?.prefix).slice(0, MOST_CHOICES);
		this.chosen = Math.max(
			0,
			this.choices.findIndex(({ value }) => value === movedTo),
		);
		if (this.choices.length === 0) this.hideMenu();
		else this.drawMenu();
	}

	private drawMenu(): void {
		const isWord = this.token?.isWord ?? false;
		const options = this.choices.map(({ value, about }, index) => {
			const isChosen = !isWord && index === this.chosen;
			return h(
				"div",
				{
					class: `sj-suggestion${isChosen ? " is-selected" : ""}`,
					attrs: { role: "option", id: `${this.menuId}-${index}`, "aria-selected": String(isChosen) },
					on: {
						mousedown: (event) => {
							event.preventDefault();
							this.accept(index);
						},
					},
				},
				h("span", { text: value }),
				" ",
				about !== undefined && h("span", { class: "sj-muted", text: about }),
				isWord && h("kbd", { text: "Tab", attrs: { "aria-hidden": "true" } }),
			);
		});
		fill(this.menu, ...options);
		this.menu.classList.toggle("is-quiet", isWord);
		setAttr(this.menu, "aria-live", isWord && "polite");
		this.menu.hidden = false;
		if (isWord) this.showActive(this.active);
		else this.point(this.menuId, `${this.menuId}-${this.chosen}`, true);
	}

	/** Hide the completions, also those that are still to come. */
	private closeMenu(): void {
		this.asked.begin();
		this.hideMenu();
	}

	private hideMenu(): void {
		this.menu.hidden = true;
		this.showActive(this.active);
	}

	private accept(index: number): void {
		const value = this.choices[index]?.value;
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

	/** Whoever moves on or opens a result does not want the completion of a word. */
	private passed(key: string): false {
		if (/^(Enter|Arrow|Page)/.test(key)) this.closeMenu();
		return false;
	}

	private menuKey(key: string): boolean {
		if (key === "Escape") this.closeMenu();
		else if (key === "Tab") this.accept(this.chosen);
		else if (this.token?.isWord) return this.passed(key);
		else if (key === "Enter") this.accept(this.chosen);
		else if (key === "ArrowDown" || key === "ArrowUp") {
			const { length } = this.choices;
			this.chosen = (this.chosen + (key === "ArrowDown" ? 1 : length - 1)) % length;
			this.drawMenu();
		} else return false;
		return true;
	}
}

function choiceOf({ value, notes }: Suggestion): Choice {
	return notes === undefined ? { value } : { value, about: say("count.notes", { count: notes }) };
}
