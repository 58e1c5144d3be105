import { rmSync } from "node:fs";
import * as mocks from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { IDENTITY, http, TOKEN, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { FakeDaemon, note, Refused, response, result, status } from "../helpers/fakeDaemon";
import { runPlugin, type Running } from "../helpers/obsidian";
import { TABLES } from "../helpers/tables";

const OWN = {
	id: "home",
	name: "home",
	colour: "#2a66b2",
	vaults: [{ id: "0000000a", name: "Notes", own: true, allow: ["."], exclude: [], root: null }],
	federate: true,
	encrypted: false,
	model: "bundled",
	locked: false,
};

const heading = (line: number): object => ({ heading: "H", level: 1, position: { start: { line } } });

describe("the plugin among Obsidian's windows, keys and settings", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;

	const paired = async (): Promise<void> => {
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		running.plugin.link.connection.start();
		await settled(() => running.plugin.link.profiles.length > 0);
	};

	/** The pane of related notes beside a note with these headings, *Follow the section* on. */
	const followed = async (
		headings = [8],
		line = 0,
	): Promise<{ cursor: MockInstance<mocks.MarkdownView["editor"]["getCursor"]>; lines: () => (string | null)[] }> => {
		const leaf = running.app.workspace.getLeaf(false);
		const editing = mocks.MarkdownView.create2__(leaf);
		editing.file = running.app.vault.getFileByPath("Open.md");
		leaf.view = editing.asOriginalType7__();
		vi.spyOn(running.app.workspace, "getMostRecentLeaf").mockReturnValue(leaf);
		vi.spyOn(running.app.metadataCache, "getFileCache").mockReturnValue({
			headings: headings.map(heading),
		} as never);
		const cursor = vi.spyOn(editing.editor, "getCursor").mockReturnValue({ line, ch: 0 });
		running.plugin.hostFor({ hoverPopover: null }).storage.write("related-follows-section", true);
		const pane = running.plugin.views__.get("scrubjay-related")?.(running.app.workspace.getLeaf(true) as never);
		await (pane as unknown as { onOpen(): Promise<void> }).onOpen();
		const lines = (): (string | null)[] =>
			daemon.asked
				.filter(({ path }) => path.startsWith("/v1/related"))
				.map(({ path }) => new URLSearchParams(path.split("?")[1]).get("line"));
		await settled(() => lines().length > 0);
		return { cursor, lines };
	};

	beforeEach(async () => {
		home = homeOfDaemon();
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/recent", () => ({ notes: [note()] }))
			.on("GET /v1/profiles", () => ({ profiles: [OWN] }))
			.on("GET /v1/related", () => ({ notes: [] }))
			.on("POST /v1/search", () => response([result()]));
		running = await runPlugin(
			{ "Kitchen/Bread.md": "# Bread\n", "Open.md": "", "Other.md": "", "Paper.pdf": "" },
			http(daemon, IDENTITY),
		);
	});
	afterEach(() => {
		running.plugin.onunload();
		vi.unstubAllEnvs();
		vi.unstubAllGlobals();
		rmSync(home, { recursive: true });
		document.body.replaceChildren();
	});

	it("copies by the window that has the focus: the clipboard of another refuses", async () => {
		const copied: string[] = [];
		vi.stubGlobal("activeWindow", {
			navigator: { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } },
		});
		await running.plugin.hostFor({ hoverPopover: null }).copy("a link");
		expect(copied).toEqual(["a link"]);
	});

	it("follows the section also in a note that is edited in a window of its own", async () => {
		await paired();
		const { cursor, lines } = await followed();
		const other = document.implementation.createHTMLDocument("A window of its own");
		running.app.workspace.trigger("window-open", {}, { document: other });
		cursor.mockReturnValue({ line: 8, ch: 0 });
		other.dispatchEvent(new Event("selectionchange"));
		await settled(() => lines().includes("9"));
	});

	it("follows the section in a window that was open before the pane, and lets go of one that is closed", async () => {
		await paired();
		const other = document.implementation.createHTMLDocument("A window of its own");
		const { workspace } = running.app;
		vi.spyOn(workspace, "iterateAllLeaves").mockImplementation((look) =>
			look({ view: { containerEl: other.body } } as never),
		);
		const { cursor, lines } = await followed();
		cursor.mockReturnValue({ line: 8, ch: 0 });
		other.dispatchEvent(new Event("selectionchange"));
		await settled(() => lines().includes("9"));
		workspace.trigger("window-close", {}, { document: other });
		const timers = vi.spyOn(window, "setTimeout");
		other.dispatchEvent(new Event("selectionchange"));
		expect(timers).not.toHaveBeenCalled();
	});

	it("asks once for a section, not at each line that the cursor rests on", async () => {
		await paired();
		const { cursor, lines } = await followed([2, 40], 5);
		for (const line of [6, 7, 30, 45]) {
			cursor.mockReturnValue({ line, ch: 0 });
			running.app.workspace.trigger("active-leaf-change", null);
			await settled(() => daemon.asked.length > 0);
		}
		await settled(() => lines().includes("41"));
		expect(lines()).toEqual(["3", "41"]);
	});

	describe("related notes beside what is open", () => {
		const asked = (): URLSearchParams[] =>
			daemon.asked
				.filter(({ path }) => path.startsWith("/v1/related"))
				.map(({ path }) => new URLSearchParams(path.split("?")[1]));
		/** The note or file in the view that was used last. */
		const show = (view: mocks.MarkdownView | mocks.FileView, path: string): void => {
			view.file = running.app.vault.getFileByPath(path);
			const leaf = running.app.workspace.getLeaf(false);
			leaf.view = view as never;
			vi.spyOn(running.app.workspace, "getMostRecentLeaf").mockReturnValue(leaf);
		};
		const open = async (): Promise<void> => {
			const pane = running.plugin.views__.get("scrubjay-related")?.(running.app.workspace.getLeaf(true) as never);
			await (pane as unknown as { onOpen(): Promise<void> }).onOpen();
		};
		const editor = (): mocks.MarkdownView => mocks.MarkdownView.create2__(running.app.workspace.getLeaf(false));

		it("are asked for by the name that the daemon has for the vault, from the first time on", async () => {
			show(editor(), "Open.md");
			await open();
			await paired();
			await settled(() => asked().length > 0);
			expect(new Set(asked().map((ask) => ask.get("vault")))).toEqual(new Set(["Notes"]));
		});

		it("are renewed once the note was written, or one is gone", async () => {
			show(editor(), "Open.md");
			await paired();
			await open();
			await settled(() => asked().length > 0);
			for (const [event, path, times] of [
				["modify", "Other.md", 0],
				["modify", "Open.md", 1],
				["delete", "Other.md", 1],
			] as const) {
				const before = asked().length;
				vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
				for (let time = 0; time < 20; time += 1) running.app.vault.trigger(event, { path });
				vi.advanceTimersByTime(5_000);
				vi.useRealTimers();
				await settled(() => asked().length - before >= times);
				await new Promise((resolve) => window.setTimeout(resolve, 50));
				expect([event, path, asked().length - before]).toEqual([event, path, times]);
			}
		});

		it("are shown for a file that is no note, too, where nothing can be linked", async () => {
			class PdfView extends mocks.FileView {
				override getViewType(): string {
					return "pdf";
				}
			}
			const leaf = running.app.workspace.getLeaf(false);
			show(new (PdfView as unknown as new (leaf: unknown) => mocks.FileView)(leaf), "Paper.pdf");
			const read = vi.spyOn(running.app.vault, "cachedRead");
			await paired();
			await open();
			await settled(() => asked().some((ask) => ask.get("path") === "Paper.pdf"));
			expect(read).not.toHaveBeenCalled();
		});

		it("follow what is being written, before it is indexed", async () => {
			const editing = editor();
			show(editing, "Open.md");
			const lines = ["# Head", "", "The loaf was dense, -so we", 'gave it "more" water.', "", "Else"];
			editing.setViewData(lines.join("\n"), true);
			vi.spyOn(editing.editor, "getCursor").mockReturnValue({ line: 3, ch: 0 });
			running.plugin.hostFor({ hoverPopover: null }).storage.write("related-follows-section", true);
			await paired();
			await open();
			running.app.workspace.trigger("editor-change", editing.editor, editing);
			await settled(() => daemon.searches.length > 0);
			expect(daemon.searches).toEqual([
				{
					query: 'the loaf was dense so we gave it more water -path:"Open.md"',
					mode: "semantic",
					group: "note",
					limit: 10,
					remember: false,
				},
			]);
		});
	});

	const made = async (type: string): Promise<mocks.ItemView & { focus(): void; onOpen(): Promise<void> }> => {
		const pane = running.plugin.views__.get(type)?.(running.app.workspace.getLeaf(true) as never) as never;
		await (pane as { onOpen(): Promise<void> }).onOpen();
		document.body.append((pane as mocks.ItemView).containerEl);
		return pane;
	};

	it("has an icon of its own for each pane, none of them that of Obsidian's own search", async () => {
		const icons = [];
		for (const type of running.plugin.views__.keys()) icons.push((await made(type)).icon);
		expect(new Set(icons).size).toBe(5);
		expect(icons).not.toContain("search");
		expect(mocks.getIcon("scrubjay")?.querySelector("path")).not.toBeNull();
	});

	it.each(["scrubjay-related", "scrubjay-status", "scrubjay-credentials", "scrubjay-review"])(
		"gives the focus to what a command shows: %s",
		async (type) => {
			daemon
				.on("GET /v1/credentials", () => ({ credentials: [], decided: [], may_decide: true }))
				.on("GET /v1/review", () => ({
					proposals: [],
					total: 0,
					counts: [],
					waiting: 0,
					unanswered: [],
					written: false,
					may_decide: true,
				}));
			await paired();
			const pane = await made(type);
			pane.focus();
			await settled(() => pane.containerEl.contains(document.activeElement));
		},
	);

	it("offers to pair only where there is something to pair", async () => {
		const isOffered = (): unknown => running.plugin.commands__.get("pair")?.checkCallback?.(true);
		expect(isOffered()).toBe(true);
		await paired();
		expect(isOffered()).toBe(false);
		daemon.on("GET /v1/status", () => new Refused(401, {}));
		running.plugin.link.connection.retry();
		await settled(() => isOffered() === true);
	});

	it("says of its words which language they are and from where they run, in an interface that runs from the right", async () => {
		running.plugin.onunload();
		document.body.dir = "rtl";
		running = await runPlugin({ "Open.md": "" }, http(daemon, IDENTITY), "de");
		daemon.on("GET /assets/words-de.json", () => TABLES.de);
		await paired();
		await settled(() => running.app.loadLocalStorage("scrubjay-words") !== null);
		running.plugin.openSearch();
		const block = createDiv();
		await running.plugin.markdownCodeBlockProcessors__.get("scrubjay")?.("x", block, {
			sourcePath: "",
			addChild: () => undefined,
		} as never);
		const pane = await made("scrubjay-status");
		for (const element of [pane.contentEl, running.modals[0]?.contentEl, block])
			expect([element?.lang, element?.dir]).toEqual(["de", "ltr"]);
		document.body.dir = "";
	});

	it("shows in open settings what has changed since: that the vault is paired, and its profiles", async () => {
		const tab = running.plugin.settingTabs__[0] as unknown as { containerEl: HTMLElement };
		const updated = vi.spyOn(mocks.SettingTab.prototype, "update").mockImplementation(() => undefined);
		await paired();
		expect(updated).not.toHaveBeenCalled();
		document.body.append(tab.containerEl);
		await running.plugin.link.setToken(TOKEN);
		await settled(() => updated.mock.calls.length > 0);
	});

	it("shows in open settings what another device has written", async () => {
		const tab = running.plugin.settingTabs__[0] as unknown as { containerEl: HTMLElement };
		const updated = vi.spyOn(mocks.SettingTab.prototype, "update").mockImplementation(() => undefined);
		document.body.append(tab.containerEl);
		await running.plugin.saveData({ limit: 50 });
		await running.plugin.onExternalSettingsChange();
		expect(updated).toHaveBeenCalled();
	});

	it("has its panes' keys asked before Obsidian's own, but for those that Obsidian has, too", async () => {
		const registered: ((event: KeyboardEvent) => unknown)[] = [];
		vi.spyOn(mocks.Scope.prototype, "register").mockImplementation((_modifiers, _key, handler) => {
			registered.push(handler as (event: KeyboardEvent) => unknown);
			return {} as never;
		});
		await paired();
		const pane = running.plugin.views__.get("scrubjay-search")?.(
			running.app.workspace.getLeaf(false) as never,
		) as unknown as { onOpen(): Promise<void>; containerEl: HTMLElement };
		await pane.onOpen();
		document.body.append(pane.containerEl);
		await settled(() => pane.containerEl.querySelector(".sj-line") !== null);
		const press = (key: string, held: KeyboardEventInit): unknown =>
			registered[0]?.(new KeyboardEvent("keydown", { key, cancelable: true, ...held }));
		expect([press("i", { ctrlKey: true }), press("ArrowDown", { altKey: true })]).toEqual([false, false]);
		expect([
			press("e", { ctrlKey: true }),
			press("g", { ctrlKey: true }),
			press("Enter", { altKey: true }),
			press("x", {}),
		]).toEqual([undefined, undefined, undefined, undefined]);
	});
});
