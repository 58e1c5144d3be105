import { h } from "../shared/dom";

export interface ListOptions<Item> {
	/** Height of a row that was never drawn, in pixels. */
	estimate: (item: Item) => number;
	key: (item: Item) => string;
	draw: (item: Item, index: number) => HTMLElement;
	/** The last row came into view. */
	onEnd?: () => void;
}

const OVERSCAN_PX = 300;
/** Where there is no layout (a hidden pane), as if the list were this high. */
const UNKNOWN_HEIGHT_PX = 900;

/**
 * Draws only the rows in view, whatever their heights.
 *
 * Heights are measured once drawn and kept by key; rows never drawn count with their estimate. When a row above the
 * view turns out higher or lower, the scroll position moves along, so that what is being read stays where it is.
 */
export class VirtualList<Item> {
	readonly element: HTMLElement;
	private items: readonly Item[] = [];
	private readonly heights = new Map<string, number>();
	private readonly drawn = new Map<number, HTMLElement>();
	/** offsets[i] is the top of row i; the last entry is the whole height. */
	private offsets = new Float64Array(1);
	private readonly observer: ResizeObserver | null;
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

	/** Show these items. Scrolls to the top unless `keepScroll`. */
	set(items: readonly Item[], keepScroll: boolean): void {
		this.items = items;
		this.clearDrawn();
		this.measureOffsets();
		if (!keepScroll && this.scroller.scrollTop !== 0) this.scroller.scrollTop = 0;
		this.draw();
	}

	/** Draw one row anew, if it is in view. */
	redraw(index: number): void {
		this.drawn.get(index)?.remove();
		this.drawn.delete(index);
		this.draw();
	}

	/** The element of a row in view. */
	elementOf(index: number): HTMLElement | null {
		return this.drawn.get(index) ?? null;
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
		window.cancelAnimationFrame(this.frame);
	}

	private schedule(): void {
		if (this.frame !== 0) return;
		this.frame = window.requestAnimationFrame(() => {
			this.frame = 0;
			this.draw();
		});
	}

	private resized(): void {
		if (this.scroller.clientWidth !== this.width) {
			this.width = this.scroller.clientWidth;
			this.heights.clear();
			this.clearDrawn();
			this.measureOffsets();
		}
		this.draw();
	}

	private draw(): void {
		const from = this.indexAt(this.scroller.scrollTop - OVERSCAN_PX);
		const to = Math.min(this.items.length, this.indexAt(this.scroller.scrollTop + this.viewHeight() + OVERSCAN_PX) + 1);
		for (const [index, element] of this.drawn) {
			if (index >= from && index < to) continue;
			element.remove();
			this.drawn.delete(index);
		}
		const fresh = this.drawMissing(from, to);
		if (this.measure(fresh)) this.measureOffsets();
		for (const [index, element] of this.drawn) element.style.setProperty("--sj-top", `${this.top(index)}px`);
		if (to === this.items.length && to > 0) this.options.onEnd?.();
	}

	private drawMissing(from: number, to: number): number[] {
		const fresh: number[] = [];
		for (let index = from; index < to; index += 1) {
			const item = this.items[index];
			if (item === undefined || this.drawn.has(index)) continue;
			const element = this.options.draw(item, index);
			this.drawn.set(index, element);
			this.element.insertBefore(element, this.nextDrawn(index));
			fresh.push(index);
		}
		return fresh;
	}

	/** Rows stay in reading order in the document, for screen readers. */
	private nextDrawn(index: number): HTMLElement | null {
		let nearest = Infinity;
		for (const other of this.drawn.keys()) if (other > index && other < nearest) nearest = other;
		return this.drawn.get(nearest) ?? null;
	}

	private measure(indices: readonly number[]): boolean {
		let changed = false;
		let shift = 0;
		for (const index of indices) {
			const item = this.items[index];
			const height = this.drawn.get(index)?.offsetHeight ?? 0;
			if (item === undefined || height === 0) continue;
			const before = this.heightOf(item);
			if (before === height) continue;
			if (this.top(index + 1) <= this.scroller.scrollTop) shift += height - before;
			this.heights.set(this.options.key(item), height);
			changed = true;
		}
		if (shift !== 0) this.scroller.scrollTop += shift;
		return changed;
	}

	private measureOffsets(): void {
		this.offsets = new Float64Array(this.items.length + 1);
		let top = 0;
		this.items.forEach((item, index) => {
			this.offsets[index] = top;
			top += this.heightOf(item);
		});
		this.offsets[this.items.length] = top;
		this.element.style.setProperty("--sj-height", `${top}px`);
	}

	private heightOf(item: Item): number {
		return this.heights.get(this.options.key(item)) ?? this.options.estimate(item);
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

	private clearDrawn(): void {
		this.drawn.clear();
		this.element.replaceChildren();
	}
}
