import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import { PanelDrawer } from "../../src/panel/notes/panelDrawer";
import { Reader } from "../../src/panel/notes/reader";
import { ReadingColumns } from "../../src/panel/notes/readingColumns";
import { SearchView } from "../../src/panel/search/searchView";
import { DEFAULT_SETTINGS } from "../../src/panel/settings";
import type { NoteReply } from "../../src/api/wire";
import { FakeDaemon, note, response, result } from "../helpers/fakeDaemon";
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
		const result = view.element.querySelectorAll(".sj-result, .sj-line")[index];
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

	describe("while results change that nobody asked for", () => {
		const whole = (title: string, text: string): NoteReply => ({
			profile: "home",
			vault: "Notes",
			path: `${title}.md`,
			title,
			kind: "note",
			tags: [],
			modified: "2026-03-01T12:00:00Z",
			redactions: 0,
			passages: [{ id: "1".repeat(12), headings: [], line: 1, text, place: "" }],
			links: [],
		});
		const read = (): string => columns.element.querySelector(".sj-reader h2")?.textContent ?? "";
		const link = (): HTMLElement => columns.element.querySelector(".sj-reader [data-note]") as HTMLElement;
		const selected = (): string => view.element.querySelector(".is-selected")?.textContent ?? "";
		/** Other lines, another order, and one more. */
		const change = async (): Promise<void> => {
			const other = result({ id: "d".repeat(12), path: "Rye.md", title: "Rye" });
			daemon
				.on("POST /v1/search", () => response([other, OVEN, { ...BREAD, line: 9, highlights: [] }]))
				.on("GET /v1/recent", () => ({ notes: [other, OVEN, BREAD].map((each) => note(each)) }));
			view.refresh();
			await vi.advanceTimersByTimeAsync(500);
		};

		beforeEach(() => {
			daemon
				.on(`GET /v1/notes/${BREAD.id}`, () => whole("Bread", "Ask for [[Flour]]."))
				.on(`GET /v1/notes/${OVEN.id}`, () => whole("Oven", "Hot."))
				.on(`GET /v1/notes/${"c".repeat(12)}`, () => whole("Flour", "Rye is dark."))
				.on("GET /v1/recent", () => ({ notes: [OVEN, BREAD].map((each) => note(each)) }))
				.on("POST /v1/read", () => ({
					notes: [{ ...whole("Flour", "Rye is dark."), id: "c".repeat(12) }],
					missing: [],
					unread: [],
				}));
		});

		it.each([
			["the results to a query", "dough"],
			["the recent notes", ""],
		])("keeps to %s what a link in the reader led to, and the way back", async (_, query) => {
			await open(query);
			if (query === "") click(1);
			await vi.advanceTimersByTimeAsync(500);
			link().focus();
			link().click();
			await vi.advanceTimersByTimeAsync(500);
			expect(read()).toBe("Flour");
			await change();
			expect([read(), selected()]).toEqual(["Flour", expect.stringContaining("Bread")]);
			(columns.element.querySelector(".sj-reader-back") as HTMLElement).click();
			await vi.advanceTimersByTimeAsync(500);
			expect(read()).toBe("Bread");
		});

		it("follows a link whose answer comes after them", async () => {
			await open("dough");
			let answer: (reply: unknown) => void = () => undefined;
			daemon.on("POST /v1/read", () => new Promise((resolve) => (answer = resolve)));
			link().focus();
			link().click();
			await change();
			answer({ notes: [{ ...whole("Flour", "Rye is dark."), id: "c".repeat(12) }], missing: [], unread: [] });
			await vi.advanceTimersByTimeAsync(500);
			expect(read()).toBe("Flour");
		});

		it("leaves the button in the reader that has the focus, or is held", async () => {
			await open("dough");
			const button = (): HTMLElement =>
				columns.element.querySelector(".sj-reader .sj-button-main") as HTMLElement;
			button().focus();
			await change();
			expect(document.activeElement).toBe(button());
			const held = button();
			held.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
			daemon.on("POST /v1/search", () => response([{ ...BREAD, line: 11, highlights: [] }]));
			view.refresh();
			await vi.advanceTimersByTimeAsync(500);
			expect(button()).toBe(held);
			held.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
			await vi.advanceTimersByTimeAsync(500);
			expect(button()).not.toBe(held);
		});

		it("stays at the match that F3 in the box has led to", async () => {
			daemon.on(`GET /v1/notes/${BREAD.id}`, () => whole("Bread", "Some dough. A wetter dough."));
			await open("dough");
			press(input(), "F3");
			press(input(), "F3");
			const at = (): unknown[] => [
				selected().includes("Bread"),
				columns.element.querySelector(".sj-reader-steps")?.textContent,
				[...columns.element.querySelectorAll(".sj-reader mark")].map((mark) =>
					mark.classList.contains("is-here"),
				),
			];
			const before = at();
			daemon.on("POST /v1/search", () => response([OVEN, { ...BREAD, line: 9 }]));
			view.refresh();
			await vi.advanceTimersByTimeAsync(500);
			expect([before, at()]).toEqual(Array(2).fill([true, "Match 2 of 2", [false, true]]));
		});

		it("leaves the recent note selected that was chosen", async () => {
			await open("");
			click(1);
			await change();
			expect(selected()).toContain("Bread");
		});

		it("goes to the note that the user selects then", async () => {
			await open("dough");
			link().focus();
			link().click();
			await vi.advanceTimersByTimeAsync(500);
			await change();
			click(1);
			await vi.advanceTimersByTimeAsync(500);
			expect(read()).toBe("Oven");
		});
	});

	it("restores a query from before, selected, without anybody remembering it", async () => {
		await open("");
		view.restore("dough");
		await vi.advanceTimersByTimeAsync(500);
		expect(daemon.searches.map(({ query, remember }) => [query, remember])).toEqual([["dough", false]]);
		expect([input().selectionStart, input().selectionEnd]).toEqual([0, 5]);
	});
});
