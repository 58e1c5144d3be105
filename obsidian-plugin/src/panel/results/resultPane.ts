import type { SearchResult } from "../../api/wire";
import type { Host } from "../host";
import { h, setAttr, uniqueId } from "../shared/dom";
import { drawRow, estimatedHeight, looksOf } from "./card";
import type { CardContext } from "./cardParts";
import { isSelectable, placeOfRow, type Row } from "./rows";
import { VirtualList } from "./virtualList";

export interface ResultPaneOptions {
	label: string;
	host: Host;
	context: () => CardContext;
	/** The row was clicked; `event` tells in which way. */
	onOpen: (row: Row, event: MouseEvent) => void;
	/** `id` is the selected option's, for `aria-activedescendant`. isKept: it was selected already, and may show more by now. */
	onSelect: (row: Row | null, id: string | null, isKept: boolean) => void;
	onEnd?: () => void;
	/** The row of a note was clicked. Says whether it is looked at instead of opened. again: it was selected already. */
	onLook?: (again: boolean) => boolean;
	/** A key pressed while the list itself has the focus. */
	onKey: (event: KeyboardEvent) => void;
}

/** A listbox of rows: draws them, keeps the selection, lets them be opened, previewed and dragged. */
export class ResultPane {
	readonly element: HTMLElement;
	readonly id = uniqueId("results");
	private rows: readonly Row[] = [];
	/** For each row, how many that can be selected there are up to it. */
	private places: readonly number[] = [];
	private selected = -1;
	/** Did the user choose the selected row? Otherwise it is merely the first. */
	private isChosen = false;
	private readonly list: VirtualList<Row>;

	constructor(private readonly options: ResultPaneOptions) {
		this.element = h("div", {
			class: "sj-results",
			attrs: { role: "listbox", id: this.id, "aria-label": options.label, tabindex: "0" },
		});
		this.list = new VirtualList<Row>(this.element, {
			estimate: estimatedHeight,
			key: (row) => row.key,
			looks: (row) => looksOf(row, options.context()),
			draw: (row) => this.draw(row),
			place: (element, row, index) => this.place(element, row, index),
			...(options.onEnd ? { onEnd: options.onEnd } : {}),
		});
		this.list.element.setAttribute("role", "presentation");
		this.element.addEventListener("keydown", options.onKey);
		this.listen();
	}

	/**
	 * Show other rows. With `keep`, a row that the user chose stays selected, and where it is on the screen, if it is still
	 * there; else the first is.
	 */
	set(rows: readonly Row[], keep: boolean): void {
		this.isChosen &&= keep;
		const held = this.isChosen ? this.selected : -1;
		const key = this.rows[held]?.key;
		this.rows = rows;
		let place = 0;
		this.places = rows.map((each) => (isSelectable(each) ? (place += 1) : place));
		const found = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
		this.selected = found >= 0 ? found : rows.findIndex(isSelectable);
		this.list.set(rows, keep, held);
		this.announce(found >= 0);
	}

	get current(): Row | null {
		return this.rows[this.selected] ?? null;
	}

	get size(): number {
		return this.rows.length;
	}

	/** Move the selection by so many selectable rows; past an end it wraps if the step is one. */
	move(step: number): void {
		const selectable = this.rows.flatMap((row, index) => (isSelectable(row) ? [index] : []));
		if (selectable.length === 0) return;
		const at = selectable.indexOf(this.selected);
		const wanted = at + step;
		const inside = Math.max(0, Math.min(selectable.length - 1, wanted));
		const wrapped = Math.abs(step) === 1 ? (wanted + selectable.length) % selectable.length : inside;
		this.select(selectable[wrapped] ?? 0);
	}

	/** Something was done with the selected row: it stays selected wherever it goes. */
	keepSelection(): void {
		this.isChosen = true;
	}

	movePage(direction: 1 | -1): void {
		this.move(direction * Math.max(2, this.list.pageSize()));
	}

	dispose(): void {
		this.list.dispose();
	}

	private select(index: number): void {
		const before = this.list.elementOf(this.selected);
		this.selected = index;
		this.isChosen = true;
		if (before) this.markSelected(before, false);
		this.list.reveal(index);
		const now = this.list.elementOf(index);
		if (now) this.markSelected(now, true);
		this.announce();
	}

	private announce(isKept = false): void {
		const row = this.current;
		const id = row ? this.optionId(this.selected) : null;
		setAttr(this.element, "aria-activedescendant", id ?? undefined);
		this.options.onSelect(row, id, isKept);
	}

	private markSelected(element: HTMLElement, selected: boolean): void {
		element.classList.toggle("is-selected", selected);
		setAttr(element, "aria-selected", String(selected));
	}

	private optionId(index: number): string {
		return `${this.id}-${index}`;
	}

	private draw(row: Row): HTMLElement {
		const element = drawRow(row, this.options.context());
		setAttr(element, "role", isSelectable(row) ? "option" : "presentation");
		element.draggable = placeOfRow(row) !== null;
		return element;
	}

	private place(element: HTMLElement, row: Row, index: number): void {
		if (!isSelectable(row)) return;
		setAttr(element, "id", this.optionId(index));
		setAttr(element, "aria-posinset", this.places[index]);
		setAttr(element, "aria-setsize", this.places.at(-1));
		this.markSelected(element, index === this.selected);
	}

	/** Rows are kept while what they show stays the same: so the list listens, and asks which row stands there now. */
	private listen(): void {
		const { host, onOpen, onLook } = this.options;
		const on = <Name extends keyof HTMLElementEventMap>(
			name: Name,
			act: (event: HTMLElementEventMap[Name], row: Row, index: number) => void,
		): void =>
			this.element.addEventListener(name, (event) => {
				const index = this.list.indexOf(event.target as Node | null);
				const row = this.rows[index];
				if (row && isSelectable(row)) act(event, row, index);
			});
		on("mousedown", (event, row) => {
			if (event.button === 0 && !placeOfRow(row)) event.preventDefault();
		});
		on("click", (event, row, index) => {
			const wasChosen = this.isChosen && this.selected === index;
			this.select(index);
			const isLooked = placeOfRow(row) !== null && !event.ctrlKey && !event.metaKey && onLook?.(wasChosen);
			if (!isLooked) onOpen(row, event);
		});
		on("auxclick", (event, row) => {
			if (event.button === 1) onOpen(row, event);
		});
		on("contextmenu", (event, row, index) => {
			const place = placeOfRow(row);
			if (!place || !host.menu?.(event, place)) return;
			event.preventDefault();
			this.select(index);
		});
		on("dragstart", (event, row) => {
			const place = placeOfRow(row);
			if (place) event.dataTransfer?.setData("text/plain", host.linkTo(place));
		});
		on("mouseover", (event, row, index) => {
			const [place, element] = [placeOfRow(row), this.list.elementOf(index)];
			if (place && element) host.hoverPreview?.(event, element, place);
		});
	}
}

/** The search result of a row, if it shows one. */
export function resultOf(row: Row | null): SearchResult | null {
	return row?.kind === "result" || row?.kind === "passage" ? row.result : null;
}
