import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import { PanelDrawer } from "../../src/panel/notes/panelDrawer";
import { Reader } from "../../src/panel/notes/reader";
import { ReadingColumns } from "../../src/panel/notes/readingColumns";
import { SearchView } from "../../src/panel/search/searchView";
import { DEFAULT_SETTINGS } from "../../src/panel/settings";
import { FakeDaemon, response, result } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

const BREAD = result();
const OVEN = result({ id: "b".repeat(12), path: "Oven.md", title: "Oven" });

describe("reading beside the results", () => {
	let host: RecordingHost;
	let view: SearchView;
	let columns: ReadingColumns;
	let daemon: FakeDaemon;
	let width: number;

	const open = async (query: string, { looksFirst = true, inPane = false } = {}): Promise<void> => {
		const client = new Client(daemon);
		view = new SearchView({
			client,
			host,
			settings: () => DEFAULT_SETTINGS,
			inPane,
			...(inPane ? {} : { reading: () => columns }),
			onLeave: () => undefined,
		});
		columns = new ReadingColumns(
			view.element,
			new Reader({
				client: () => client,
				action: { label: "Open", act: () => undefined },
				drawer: () => new PanelDrawer(() => client, "home"),
			}),
			{ storage: host.storage, looksFirst, onBack: () => view.focus() },
		);
		vi.spyOn(columns.element, "clientWidth", "get").mockImplementation(() => width);
		document.body.replaceChildren(columns.element);
		view.setQuery(query);
		await vi.advanceTimersByTimeAsync(500);
	};
	const input = (): HTMLInputElement => view.element.querySelector(".sj-input") as HTMLInputElement;
	const list = (): HTMLElement => view.element.querySelector(".sj-results") as HTMLElement;
	const press = (target: HTMLElement, key: string, held: KeyboardEventInit = {}): boolean =>
		target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held }));
	const click = (index: number, keys: MouseEventInit = {}): unknown => {
		const result = view.element.querySelectorAll(".sj-result")[index];
		return result?.dispatchEvent(new MouseEvent("click", { bubbles: true, ...keys }));
	};
	const state = (): string[] =>
		["is-roomy", "is-alone", "is-over"].filter((name) => columns.element.classList.contains(name));

	beforeEach(() => {
		vi.useFakeTimers();
		width = 1_000;
		host = new RecordingHost();
		daemon = new FakeDaemon()
			.on("POST /v1/search", () => response([BREAD, OVEN]))
			.on("GET /v1/recent", () => ({ notes: [] }));
	});
	afterEach(() => {
		view.dispose();
		columns.dispose();
		document.body.replaceChildren();
		vi.restoreAllMocks();
		vi.useRealTimers();
	});

	it("selects by a click, and opens by the next, or with Control at once", async () => {
		await open("dough");
		click(0);
		click(1);
		expect([view.element.querySelector(".is-selected .sj-title")?.textContent, host.opened]).toEqual(["Oven", []]);
		click(1);
		click(0, { ctrlKey: true });
		expect(host.opened).toEqual([
			["Oven", "here"],
			["Bread", "tab"],
		]);
	});

	it("shows the note over the results where there is no room beside them, with the way back", async () => {
		width = 400;
		await open("dough");
		click(1);
		expect([state(), host.opened, document.activeElement?.className]).toEqual([["is-over"], [], "sj-reader"]);
		press(columns.element.querySelector(".sj-reader") as HTMLElement, "Escape");
		expect([state(), document.activeElement]).toEqual([[], input()]);
	});

	it("opens by a click where the reader is out of sight and results are not looked at first", async () => {
		width = 400;
		await open("dough", { looksFirst: false });
		click(1);
		expect([state().includes("is-over"), host.opened]).toEqual([false, [["Oven", "here"]]]);
	});

	it("hides and shows the reader by → behind the query and by Space in the list, and remembers it", async () => {
		await open("dough");
		input().setSelectionRange(2, 2);
		press(input(), "ArrowRight");
		expect(state()).toEqual(["is-roomy"]);
		input().setSelectionRange(5, 5);
		press(input(), "ArrowRight");
		expect(state()).toEqual(["is-roomy", "is-alone"]);
		await open("dough");
		expect(state()).toEqual(["is-roomy", "is-alone"]);
		press(input(), " ");
		expect(state()).toEqual(["is-roomy", "is-alone"]);
		press(list(), " ");
		expect(state()).toEqual(["is-roomy"]);
	});

	it("has in the list single keys for what else takes a modifier", async () => {
		await open("dough");
		press(list(), "l");
		expect(host.linked).toEqual(["Bread"]);
	});

	it.each([
		["in a pane, Ctrl-E to Obsidian", true, { key: "e", ctrlKey: true }, false],
		["in a pane, Alt-Enter to Obsidian", true, { key: "Enter", altKey: true }, false],
		["in a pane, Ctrl-I to itself", true, { key: "i", ctrlKey: true }, true],
		["elsewhere, Ctrl-E to itself", false, { key: "e", ctrlKey: true }, true],
	])("leaves %s", async (_, inPane, keys, isUsed) => {
		await open("dough", { inPane });
		expect(view.keys.shortcut(new KeyboardEvent("keydown", { ...keys, cancelable: true }))).toBe(isUsed);
	});

	it("opens the note that is called so where it was left, and another at its match", async () => {
		await open("BREAD");
		expect(view.element.querySelector(".sj-badge")?.textContent).toBe("exact title");
		press(input(), "Enter");
		press(input(), "ArrowDown");
		press(input(), "Enter");
		expect([host.opened, host.lines]).toEqual([
			[
				["Bread", "here"],
				["Oven", "here"],
			],
			[undefined, 7],
		]);
	});

	it("restores a query from before, selected, without anybody remembering it", async () => {
		await open("");
		view.restore("dough");
		await vi.advanceTimersByTimeAsync(500);
		expect(daemon.searches.map(({ query, remember }) => [query, remember])).toEqual([["dough", false]]);
		expect([input().selectionStart, input().selectionEnd]).toEqual([0, 5]);
	});
});
