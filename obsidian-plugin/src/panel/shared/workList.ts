import type { Unanswered } from "../../api/wire";
import { compareNames, say } from "../../words/say";
import type { Host } from "../host";
import { h, isMeant, keepFocus, muted, setAttr } from "./dom";
import { button, replaceByNotice, retryNotice } from "./notice";
import { Press } from "./press";
import { Speaker } from "./speaker";
import { unansweredWords } from "./told";

/**
 * A list of decisions that is worked through one by one. Of its rows one is current: arrows choose it, letters decide about
 * it, U takes the last decision back, and Shift-U all that were made.
 */
export abstract class WorkList<Item> {
	readonly element: HTMLElement;
	protected readonly body = h("div");
	protected readonly speaker = new Speaker();
	protected readonly press = new Press(this.body);
	protected current: Item | null = null;
	/** What is shown, as one string; "" where the list is not. */
	protected drawn = "";

	/** name: the class of the pane; rowClass: that of a row, whose button is the place of its item. */
	protected constructor(
		name: string,
		private readonly rowClass: string,
	) {
		const on = { keydown: (event: KeyboardEvent): void => this.pressed(event) };
		this.element = h("div", { class: `sj-pane ${name}`, on }, this.body, this.speaker.element);
	}

	/** Ask for the list anew. Never rejects. */
	abstract load(): Promise<void>;

	/** Nobody will see it any more: nothing is asked or said from now on. */
	dispose(): void {
		this.speaker.dispose();
	}

	/** The user came to work through it: the first row takes the keys, unless they have gone on meanwhile. */
	async enter(): Promise<void> {
		const document = this.element.ownerDocument;
		const before = document.activeElement;
		await this.load();
		if (document.activeElement === before && !this.element.contains(before)) this.focus();
	}

	/** The items of the list, in their order. */
	protected abstract shown(): readonly Item[];

	/** Those that have a row: of a long list, a part around the current one. */
	protected drawnItems(): readonly Item[] {
		return this.shown();
	}

	protected abstract isSame(a: Item, b: Item): boolean;

	/** All that the list is drawn from, as one string. */
	protected abstract state(): string;

	/** Make an item the one that keys are about. */
	protected abstract mark(item: Item): void;

	/** Whether the list has used a key, which is in lower case. */
	protected abstract used(key: string, isShifted: boolean): boolean;

	protected isCurrent(item: Item): boolean {
		return this.current !== null && this.isSame(item, this.current);
	}

	/** The current item as it is shown now; where it is not any more, the first. */
	protected remaining(): Item | null {
		return this.shown().find((each) => this.isCurrent(each)) ?? this.shown()[0] ?? null;
	}

	/** What is current once this item is gone. */
	protected beside(item: Item): Item | null {
		const shown = this.shown();
		const at = shown.findIndex((other) => this.isSame(other, item));
		return shown[at + 1] ?? shown[at - 1] ?? null;
	}

	/** Draw the list; a focus that was in it stays there. */
	protected redraw(fillBody: () => void): void {
		const { current } = this;
		const isFocusLost = keepFocus(this.body, fillBody);
		this.drawn = this.state();
		if (current !== null) this.mark(current); // that a row has the focus again does not choose it
		if (isFocusLost) this.focus();
	}

	protected fail(error: unknown): void {
		this.replaceBy(retryNotice(error, () => void this.load()));
	}

	protected replaceBy(notice: HTMLElement): void {
		this.drawn = "";
		replaceByNotice(this.body, notice);
	}

	protected showCurrent(): void {
		const shown = this.drawnItems();
		const places = this.body.querySelectorAll<HTMLElement>(`.${this.rowClass} > .sj-finding`);
		for (const [index, place] of places.entries()) {
			const item = shown[index];
			const isCurrent = item !== undefined && this.isCurrent(item);
			setAttr(place, "aria-current", isCurrent ? "true" : undefined);
			setAttr(place, "tabindex", isCurrent ? 0 : -1);
		}
	}

	/** The row of the current item. */
	protected get currentRow(): HTMLElement | null {
		return this.place?.closest("li") ?? null;
	}

	/** To the current item, or to the words that none is left. */
	protected focus(): void {
		(this.place ?? this.body.querySelector<HTMLElement>(".sj-notice"))?.focus();
	}

	private get place(): HTMLElement | null {
		return this.body.querySelector<HTMLElement>('.sj-finding[aria-current="true"]');
	}

	private pressed(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || this.drawn === "") return;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		const key = event.key.toLowerCase();
		if (step !== undefined) this.step(step);
		else if (
			!isMeant(event, "uw".includes(key) ? this.element : this.currentRow) ||
			!this.used(key, event.shiftKey)
		)
			return;
		event.preventDefault();
	}

	private step(by: number): void {
		const shown = this.shown();
		const next = shown[shown.findIndex((each) => this.isCurrent(each)) + by];
		if (next !== undefined) this.mark(next);
		this.focus();
	}
}

/** Profiles that are not open: nothing is known of what waits in them. */
export function unansweredLines(unanswered: readonly Unanswered[]): HTMLElement[] {
	return unanswered.map((each) => {
		const text = say("credentials.unanswered", { profile: each.profile, reason: unansweredWords(each) });
		return h("p", { class: "sj-card-state", text });
	});
}

/** The way to a token that may decide; null where this one may, or the host has no other. */
export function decideHere(mayDecide: boolean, host: Host): HTMLElement | null {
	if (mayDecide || host.manage === undefined) return null;
	const manage = button({ label: say("credentials.decideHere"), act: () => host.manage?.() });
	setAttr(manage, "data-focus", "manage");
	return muted(manage, " ", say("credentials.decideHere.detail"));
}

/** A chip that narrows the list down, or is pressed to see all again. id: what the focus is kept by. */
export function filterChip(id: string, text: string, isPressed: boolean, choose: () => void): HTMLElement {
	const attrs = { "aria-pressed": String(isPressed), "data-focus": id };
	return h("button", { class: "sj-chip", text, attrs, on: { click: choose } });
}

/** Chips for one thing, where there are more than `atLeast`. */
export function chipGroup(label: string, chips: readonly HTMLElement[], atLeast = 1): HTMLElement[] {
	if (chips.length <= atLeast) return [];
	return [h("div", { class: "sj-chips", attrs: { role: "group", "aria-label": label } }, ...chips)];
}

/** The outermost folders that hold any of the paths, by name. */
export function outermostFolders(paths: readonly string[]): string[] {
	const names = paths.map((path) => (path.includes("/") ? (path.split("/")[0] ?? "") : ""));
	return [...new Set(names)].filter((name) => name !== "").sort(compareNames);
}
