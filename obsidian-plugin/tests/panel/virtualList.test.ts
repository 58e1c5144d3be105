import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { h } from "../../src/panel/shared/dom";
import { VirtualList } from "../../src/panel/results/virtualList";

const VIEW = 400;
const HEIGHT = 50;

describe("a list of ten thousand rows", () => {
	let scroller: HTMLElement;
	let list: VirtualList<number>;
	let ends: number;

	const drawn = (): number[] => [...list.element.children].map((row) => Number(row.textContent));
	const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

	beforeEach(() => {
		ends = 0;
		vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(VIEW);
		vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(HEIGHT);
		scroller = h("div");
		document.body.append(scroller);
		list = new VirtualList<number>(scroller, {
			estimate: () => HEIGHT,
			key: String,
			looks: (item) => String(item % 1_000),
			draw: (item) => h("div", { text: String(item) }),
			place: (row, _, index) => row.setAttribute("data-index", String(index)),
			onEnd: () => (ends += 1),
		});
		list.set(range(0, 10_000), false);
	});
	afterEach(() => {
		list.dispose();
		scroller.remove();
	});

	it("draws what is in view and a little more", () => {
		expect(drawn()[0]).toBe(0);
		expect(drawn().length).toBeLessThan(30);
		expect(list.element.style.getPropertyValue("--sj-height")).toBe("500000px");
	});

	it("keeps rows in reading order wherever it scrolls, and draws no row twice", () => {
		for (const index of [9_999, 0, 5_000, 5_003, 4_998]) list.reveal(index);
		const rows = drawn();
		expect(rows).toEqual([...rows].sort((a, b) => a - b));
		expect(new Set(rows).size).toBe(rows.length);
		expect(rows).toContain(4_998);
	});

	it("tells when the end comes into view", () => {
		expect(ends).toBe(0);
		list.reveal(9_999);
		expect(ends).toBeGreaterThan(0);
	});

	it("scrolls no further than needed", () => {
		list.reveal(3);
		expect(scroller.scrollTop).toBe(0);
		list.reveal(20);
		expect(scroller.scrollTop).toBe(21 * HEIGHT - VIEW);
	});

	it("starts at the top with other rows, unless asked to stay", () => {
		list.reveal(20);
		list.set(range(0, 500), true);
		expect(scroller.scrollTop).toBeGreaterThan(0);
		list.set(range(0, 500), false);
		expect(scroller.scrollTop).toBe(0);
	});

	it("leaves where it is what is read, or the row that is held, when others come in above it", () => {
		list.reveal(20);
		const { scrollTop } = scroller;
		list.set([-3, -2, -1, ...range(0, 500)], true);
		expect(scroller.scrollTop).toBe(scrollTop + 3 * HEIGHT);
		list.set([...range(0, 15), -4, ...range(15, 500)], true, 18);
		expect(scroller.scrollTop).toBe(scrollTop + HEIGHT);
		list.set(range(600, 700), true, 18);
		expect(scroller.scrollTop).toBe(scrollTop + HEIGHT);
	});

	it("keeps the rows that show the same, in the new order, and draws only the others", () => {
		const before = new Map([...list.element.children].map((row) => [row.textContent, row]));
		list.set([3, 1_001, 2, 7_777], false);
		expect(drawn()).toEqual([3, 1_001, 2, 7_777]);
		expect([...list.element.children].map((row) => row.getAttribute("data-index"))).toEqual(["0", "1", "2", "3"]);
		const kept = [...list.element.children].map((row) => before.get(row.textContent) === row);
		expect(kept).toEqual([true, false, true, false]);
		expect(
			[...list.element.children].map((row) => (row as HTMLElement).style.getPropertyValue("--sj-top")),
		).toEqual(["0px", "50px", "100px", "150px"]);
	});

	it("shows each item once even if their keys are not unique", () => {
		const other = new VirtualList<number>(h("div"), {
			estimate: () => HEIGHT,
			key: () => "same",
			looks: () => "same",
			draw: (item) => h("div", { text: String(item) }),
			place: () => undefined,
		});
		other.set([1, 2, 3], false);
		other.set([4, 5], false);
		expect(other.element.childElementCount).toBe(2);
		other.dispose();
	});

	it("learns from the rows it has drawn how high the others will be", () => {
		vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(4 * HEIGHT);
		list.set(range(20_000, 30_000), false);
		const before = drawn().length;
		list.set(range(40_000, 50_000), false);
		expect(drawn().length).toBeLessThan(before);
	});

	it("knows which row holds a node", () => {
		const row = list.elementOf(3);
		expect(list.indexOf(row?.firstChild ?? null)).toBe(3);
		expect(list.indexOf(document.body)).toBe(-1);
		expect(list.indexOf(null)).toBe(-1);
	});
});
