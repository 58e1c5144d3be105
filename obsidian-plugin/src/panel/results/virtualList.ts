import { fill, h } from "../shared/dom";

export interface ListOptions<Item> {
	/** Height of a row that was never drawn, in pixels. */
	estimate: (item: Item) => number;
	key: (item: Item) => string;
	/** Equal for items that are drawn alike: a row that is there already is then kept. */
	looks: (item: Item) => string;
	draw: (item: Item) => HTMLElement;
	/** The row, new or kept, stands at this index from now on. */
	place: (row: HTMLElement, item: Item, index: number) => void;
	/** The last row came into view. */
	onEnd?: () => void;
}

interface Row {
	key: string;
	looks: string;
	element: HTMLElement;
	/** As it was last written to the style. */
	top: number;
}

const OVERSCAN_PX = 300;
/** Where there is no layout (a hidden pane), as if the list were this high. */
const UNKNOWN_HEIGHT_PX = 900;

/**
 * Draws only the rows in view, whatever their heights.
 *
 * Heights are measured once drawn and kept by key; rows never drawn count with their estimate, corrected by what the
 * estimates of others were worth. When a row above the
 * view turns out higher or lower, the scroll position moves along, so that what is being read stays where it is.
 */
export class VirtualList<Item> {
	readonly element: HTMLElement;
	private items: readonly Item[] = [];
	private readonly heights = new Map<string, number>();
	private readonly drawn = new Map<number, Row>();
	/** offsets[i] is the top of row i; the last entry is the whole height. */
	private offsets = new Float64Array(1);
	private readonly observer: ResizeObserver | null;
	/** Heights of all rows drawn so far, as estimated and as they were. */
	private estimated = 1;
	private actual = 1;
	/** What estimates are multiplied with. It changes with the items only, so that nothing jumps while one scrolls. */
	private scale = 1;
	private frame = 0;
	private width = 0;

	constructor(
		private readonly scroller: HTMLElement,
		private readonly options: ListOptions<Item>,
	) {
		this.element = h("div", { class: "sj-list" });
		scroller.append(this.element);
		scroller.addEventListener("scroll", () => this.schedule(), { passive: true });
		this.observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => this.resized());
		this.observer?.observe(scroller);
	}

	/**
	 * Show these items. Scrolls to the top unless `keepScroll`: then the row `held`, or without it the first in view of a
	 * list that was scrolled, stays where it is on the screen, if it is still there.
	 */
	set(items: readonly Item[], keepScroll: boolean, held = -1): void {
		const before = new Map<string, Row>();
		for (const row of this.drawn.values()) {
			before.get(row.key)?.element.remove();
			before.set(row.key, row);
		}
		const { scrollTop } = this.scroller;
		const isHeldInView = held >= 0 && this.top(held) >= scrollTop && this.top(held) < scrollTop + this.viewHeight();
		const fixed = isHeldInView ? held : scrollTop > 0 ? this.indexAt(scrollTop) : -1;
		const [item, top] = [this.items[fixed], this.top(fixed)];
		this.items = items;
		this.drawn.clear();
		this.scale = this.actual / this.estimated;
		this.measureOffsets(0);
		const now =
			item === undefined ? -1 : items.findIndex((each) => this.options.key(each) === this.options.key(item));
		const wanted = keepScroll ? scrollTop + (now < 0 ? 0 : this.top(now) - top) : 0;
		if (wanted !== scrollTop) this.scroller.scrollTop = wanted;
		this.draw(before);
	}

	/** The element of a row in view. */
	elementOf(index: number): HTMLElement | null {
		return this.drawn.get(index)?.element ?? null;
	}

	/** The index of the row that holds the node; -1 for none. */
	indexOf(node: Node | null): number {
		for (const [index, { element }] of this.drawn) if (element.contains(node)) return index;
		return -1;
	}

	/** Scroll as little as needed to show the row whole, and draw it. */
	reveal(index: number): void {
		for (let pass = 0; pass < 2; pass += 1) {
			const top = this.top(index);
			const bottom = this.top(index + 1);
			const view = this.viewHeight();
			if (top < this.scroller.scrollTop) this.scroller.scrollTop = index === 0 ? 0 : top;
			else if (bottom > this.scroller.scrollTop + view) this.scroller.scrollTop = bottom - view;
			this.draw();
		}
	}

	/** How many rows fit the view, at least one. */
	pageSize(): number {
		const first = this.indexAt(this.scroller.scrollTop);
		return Math.max(1, this.indexAt(this.scroller.scrollTop + this.viewHeight()) - first - 1);
	}

	dispose(): void {
		this.observer?.disconnect();
		this.window.cancelAnimationFrame(this.frame);
	}

	/** The one that the list is in now: that of another may be minimised, and draws no frames then. */
	private get window(): Window {
		return this.scroller.ownerDocument.defaultView ?? window;
	}

	private schedule(): void {
		if (this.frame !== 0) return;
		this.frame = this.window.requestAnimationFrame(() => {
			this.frame = 0;
			this.draw();
		});
	}

	private resized(): void {
		if (this.scroller.clientWidth !== this.width) {
			this.width = this.scroller.clientWidth;
			this.heights.clear();
			this.drawn.clear();
			fill(this.element);
			this.measureOffsets(0);
		}
		this.draw();
	}

	/** Draw what is in view; rows of `before` that are still right are taken over, the others go. */
	private draw(before = new Map<string, Row>()): void {
		const from = this.indexAt(this.scroller.scrollTop - OVERSCAN_PX);
		const to = Math.min(
			this.items.length,
			this.indexAt(this.scroller.scrollTop + this.viewHeight() + OVERSCAN_PX) + 1,
		);
		for (const [index, { element }] of this.drawn) {
			if (index >= from && index < to) continue;
			element.remove();
			this.drawn.delete(index);
		}
		const fresh = this.drawMissing(from, to, before);
		for (const { element } of before.values()) element.remove();
		this.arrange(from, to);
		this.measure(fresh);
		for (const [index, row] of this.drawn) this.moveTo(row, this.top(index));
		if (to === this.items.length && to > 0) this.options.onEnd?.();
	}

	private drawMissing(from: number, to: number, before: Map<string, Row>): number[] {
		const fresh: number[] = [];
		for (let index = from; index < to; index += 1) {
			const item = this.items[index];
			if (item === undefined || this.drawn.has(index)) continue;
			const key = this.options.key(item);
			const looks = this.options.looks(item);
			let row = before.get(key);
			if (row?.looks === looks) before.delete(key);
			else {
				row = { key, looks, element: this.options.draw(item), top: -1 };
				fresh.push(index);
			}
			this.drawn.set(index, row);
			this.options.place(row.element, item, index);
		}
		return fresh;
	}

	/** Rows stay in reading order in the document, for screen readers. */
	private arrange(from: number, to: number): void {
		let next: Element | null = null;
		for (let index = to - 1; index >= from; index -= 1) {
			const element = this.elementOf(index);
			if (!element) continue;
			if (element.parentElement !== this.element || element.nextElementSibling !== next)
				this.element.insertBefore(element, next);
			next = element;
		}
	}

	private moveTo(row: Row, top: number): void {
		if (row.top === top) return;
		row.top = top;
		row.element.style.setProperty("--sj-top", `${top}px`);
	}

	private measure(indices: readonly number[]): void {
		let first = this.items.length;
		let shift = 0;
		for (const index of indices) {
			const item = this.items[index];
			const height = this.elementOf(index)?.offsetHeight ?? 0;
			if (item === undefined || height === 0) continue;
			this.estimated += this.options.estimate(item);
			this.actual += height;
			const before = this.heightOf(item);
			if (before === height) continue;
			if (this.top(index + 1) <= this.scroller.scrollTop) shift += height - before;
			this.heights.set(this.options.key(item), height);
			first = Math.min(first, index);
		}
		if (first < this.items.length) this.measureOffsets(first);
		if (shift !== 0) this.scroller.scrollTop += shift;
	}

	/** Add up the heights from a row on. */
	private measureOffsets(from: number): void {
		const { length } = this.items;
		if (this.offsets.length !== length + 1) this.offsets = new Float64Array(length + 1);
		let top = this.top(from);
		for (let index = from; index < length; index += 1) {
			const item = this.items[index];
			if (item !== undefined) top += this.heightOf(item);
			this.offsets[index + 1] = top;
		}
		this.element.style.setProperty("--sj-height", `${top}px`);
	}

	private heightOf(item: Item): number {
		return this.heights.get(this.options.key(item)) ?? Math.round(this.options.estimate(item) * this.scale);
	}

	private top(index: number): number {
		return this.offsets[index] ?? 0;
	}

	private viewHeight(): number {
		return this.scroller.clientHeight || UNKNOWN_HEIGHT_PX;
	}

	/** The row at a height, by halving. */
	private indexAt(y: number): number {
		let low = 0;
		let high = Math.max(0, this.items.length - 1);
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.top(middle) <= y) low = middle;
			else high = middle - 1;
		}
		return low;
	}
}
