import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Place } from "../../src/panel/host";
import { DISGUISED_CODE } from "../helpers/disguises";
import { IDENTITY, http, PAIRING_KEY, TOKEN, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { FakeDaemon, note, response, result, status } from "../helpers/fakeDaemon";
import { runCommand, runPlugin, type Running } from "../helpers/obsidian";

/** What the app calls the vault that is open. */
const OPEN = "Opened";
const VAULT = { id: "0000000a", allow: ["."], exclude: [], root: null };
const profile = (vaults: object[], name = "home"): object => ({
	id: name,
	name,
	colour: "#2a66b2",
	vaults,
	federate: true,
	encrypted: false,
	model: "bundled",
	locked: false,
});

const credential = (change: object = {}): object => ({
	profile: "home",
	vault: "Notes",
	path: "Keys.md",
	line: 1,
	column: 1,
	rule: "pin",
	about: "A PIN",
	standing: "open",
	...change,
});

describe("inside Obsidian", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;

	const command = (id: string): void => runCommand(running.plugin, id);
	const host = (): ReturnType<Running["plugin"]["hostFor"]> => running.plugin.hostFor({ hoverPopover: null });
	const sees = (...profiles: object[]): void => void daemon.on("GET /v1/profiles", () => ({ profiles }));
	/** Let in by an earlier day's token. */
	const paired = async (): Promise<void> => {
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		running.plugin.link.connection.start();
		await settled(() => running.plugin.link.profiles.length > 0);
	};
	const pane = async (type: string): Promise<HTMLElement> => {
		const leaf = running.app.workspace.getLeaf(false);
		const view = running.plugin.views__.get(type)?.(leaf as never);
		if (!view) throw new Error(`There is no pane ${type}.`);
		await (view as unknown as { onOpen(): Promise<void> }).onOpen();
		document.body.append(view.containerEl);
		return view.containerEl;
	};
	const place = (change: Partial<Place> = {}): Place => ({
		vault: "Notes",
		path: "Kitchen/Bread.md",
		title: "Bread",
		profile: "home",
		...change,
	});

	beforeEach(async () => {
		home = homeOfDaemon();
		writeFileSync(join(home, "state", "pairing.key"), PAIRING_KEY);
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/recent", () => ({ notes: [note()] }))
			.on("POST /v1/search", () => response([result()]));
		sees(profile([{ ...VAULT, name: "Notes", own: true }]));
		running = await runPlugin({ "Kitchen/Bread.md": "# Bread\n", "Open.md": "" }, http(daemon, IDENTITY));
		running.app.vault.getName = () => OPEN;
	});
	afterEach(() => {
		running.plugin.onunload();
		vi.unstubAllEnvs();
		rmSync(home, { recursive: true });
		document.body.replaceChildren();
	});

	it.each<[name: string, vaults: object[], place: Partial<Place>, isHere: boolean]>([
		[
			"under another name, which its link or a renaming gave it",
			[{ ...VAULT, name: "Notes", own: true }],
			{},
			true,
		],
		["where another vault has its name", [{ ...VAULT, name: "Notes", own: true }], { vault: OPEN }, false],
		[
			"where another profile has a vault of the same name",
			[{ ...VAULT, name: "Notes", own: true }],
			{ profile: "work" },
			false,
		],
		["by its name, where the daemon does not say", [{ ...VAULT, name: OPEN, own: false }], { vault: OPEN }, true],
	])("knows the vault that is open %s", async (_, vaults, change, isHere) => {
		sees(profile(vaults));
		await paired();
		host().open(place(change), "here");
		expect(running.modals).toHaveLength(isHere ? 0 : 1);
	});

	it("gives no all-clear where the credentials are in other vaults", async () => {
		await paired();
		const found = credential({ vault: "Elsewhere" });
		daemon.on("GET /v1/credentials", () => ({ credentials: [found], decided: [], may_decide: false }));
		const report = await pane("scrubjay-credentials");
		await settled(() => report.textContent?.includes("1 credential in other vaults") ?? false);
		expect(report.textContent).not.toContain("No credentials found");
	});

	it("says what to do where no profile reads the vault that was just paired", async () => {
		sees();
		daemon
			.on("POST /v1/pairing", () => ({ id: "0123456789abcdef", code: "ABC234", secret: "once", seconds: 300 }))
			.on("POST /v1/pairing/0123456789abcdef/proof", () => ({ state: "approved" }))
			.on("POST /v1/pairing/0123456789abcdef/collect", () => ({ state: "approved", token: TOKEN }));
		command("pair");
		await settled(() => running.notices.length > 0);
		expect(running.notices[0]).toMatch(
			/no profile reads it yet: scrubjay profile create NAME --vault ".*" --allow \./,
		);
	});

	it("pairs where it says that it is not paired, in the search itself", async () => {
		command("search");
		const modal = running.modals[0];
		await settled(() => modal?.contentEl.textContent?.includes("Not paired") ?? false);
		const button = [...(modal?.contentEl.querySelectorAll("button") ?? [])].find(
			({ textContent }) => textContent === "Pair",
		);
		daemon.on("POST /v1/pairing", () => ({ id: "0123456789abcdef", code: "ABC234", secret: "once", seconds: 300 }));
		button?.click();
		await settled(() => daemon.asked.some(({ path }) => path === "/v1/pairing"));
	});

	it("searches again in a modal when the daemon is back", async () => {
		await paired();
		daemon.isAway = true;
		command("search");
		const content = running.modals[0]?.contentEl;
		await settled(() => content?.textContent?.includes("not running") ?? false);
		daemon.isAway = false;
		await settled(() => {
			running.plugin.link.connection.retry();
			return content?.querySelector(".sj-line") !== null;
		});
	});

	it("learns of profiles that are made while it is connected", async () => {
		await paired();
		sees(profile([], "home"), profile([], "work"));
		daemon.on("GET /v1/status", () => ({
			...status(),
			profiles: [...status().profiles, ...status({ name: "work" }).profiles],
		}));
		running.plugin.link.connection.retry();
		await settled(() => running.plugin.link.profiles.map(({ name }) => name).join() === "home,work");
	});

	it("takes settings that another device wrote, and does not write over them", async () => {
		await running.plugin.saveData({ mode: "semantic", limit: 50 });
		await running.plugin.onExternalSettingsChange();
		running.plugin.changeSettings({ preview: false });
		expect(running.plugin.settings).toMatchObject({ mode: "semantic", limit: 50, preview: false });
	});

	it("searches in an open pane when searching as one types is switched on", async () => {
		running.plugin.changeSettings({ asYouType: false });
		await paired();
		const input = (await pane("scrubjay-search")).querySelector<HTMLInputElement>(".sj-input");
		running.plugin.changeSettings({ asYouType: true });
		if (input) input.value = "dough";
		input?.dispatchEvent(new Event("input"));
		await settled(() => daemon.searches.some(({ query }) => query === "dough"));
	});

	it("keeps query, profiles, mode and order of a search pane with the workspace", async () => {
		sees(profile([], "home"), profile([], "work"));
		await paired();
		const leaf = running.app.workspace.getLeaf(false);
		const make = running.plugin.views__.get("scrubjay-search");
		const view = make?.(leaf as never) as unknown as {
			onOpen(): Promise<void>;
			getState(): object;
			setState(state: unknown, result: object): Promise<void>;
		};
		await view.onOpen();
		await view.setState({ query: "dough", profiles: ["work"], mode: "lexical", sort: "title" }, {});
		await settled(() => daemon.searches.length > 0);
		expect(daemon.searches[0]).toMatchObject({
			query: "dough",
			profiles: ["work"],
			mode: "lexical",
			sort: "title",
		});
		expect(daemon.searches.map(({ remember }) => remember)).toEqual([false]);
		expect(view.getState()).toMatchObject({ query: "dough", profiles: ["work"], mode: "lexical", sort: "title" });
	});

	it("asks nothing of the daemon after it was switched off before the workspace was ready", async () => {
		running.plugin.onunload();
		const before = daemon.asked.length;
		running.app.workspace.setLayoutReady__();
		await new Promise((resolve) => window.setTimeout(resolve, 50));
		expect([daemon.asked.length, running.plugin.link.connection.current.phase]).toEqual([before, "connecting"]);
	});

	it("shows no tooltip that nobody asked for: what is labelled takes keys or clicks, and has no title beside", async () => {
		sees(profile([{ ...VAULT, name: "Notes", own: true }], "home"), profile([], "work"));
		daemon
			.on("GET /v1/credentials", () => ({ credentials: [credential()], decided: [], may_decide: true }))
			.on("GET /v1/related", () => ({ notes: [note()] }))
			.on("POST /v1/search", () =>
				response([result({ redactions: 1 }), result({ path: "Far.md", relevance: "low" })], {
					facets: [{ name: "tag", values: [{ value: "baking", count: 1 }] }],
					total_notes: 40,
				}),
			);
		await paired();
		running.plugin.openSearch("dough path:Kitchen");
		await settled(() => document.querySelectorAll(".sj-result").length === 2);
		for (const type of ["search", "related", "credentials", "review", "status"]) await pane(`scrubjay-${type}`);
		await settled(() => document.querySelector(".sj-finding") !== null);
		const labelled = [...document.querySelectorAll("[aria-label]")];
		const others = labelled.filter((each) => !each.matches("a, button, input, select, textarea, [role=button]"));
		expect(others.map((each) => each.outerHTML.slice(0, 90))).toEqual([]);
		expect(labelled.filter((each) => each.matches("[title]")).map((each) => each.outerHTML.slice(0, 90))).toEqual(
			[],
		);
		expect(document.querySelector(".modal, [role=dialog]")?.getAttribute("aria-labelledby")).toBeTruthy();
		for (const each of document.querySelectorAll("[aria-labelledby]"))
			expect(document.getElementById(each.getAttribute("aria-labelledby") ?? "")?.textContent).toMatch(/\w/);
		expect(document.querySelectorAll(".sj-result").length).toBeGreaterThan(0);
	});

	it("closes an open search when it is switched off", async () => {
		command("search");
		expect(running.modals).toHaveLength(1);
		running.plugin.onunload();
		expect(running.modals).toHaveLength(0);
	});

	it("shows a folder of this vault in the file explorer, and none that this vault has not", async () => {
		await paired();
		const revealInFolder = vi.fn();
		const leaf = { view: { revealInFolder } };
		vi.spyOn(running.app.workspace, "getLeavesOfType").mockReturnValue([leaf as never]);
		vi.spyOn(running.app.workspace, "revealLeaf").mockResolvedValue();
		expect([host().revealFolder("Kitchen"), host().revealFolder("Elsewhere")]).toEqual([true, false]);
		await settled(() => revealInFolder.mock.calls.length > 0);
		expect(revealInFolder.mock.calls).toEqual([[running.app.vault.getFolderByPath("Kitchen")]]);
	});

	it("says that a note is gone instead of showing an empty window", async () => {
		await paired();
		host().open(place({ path: "Gone.md" }), "here");
		expect([running.modals.length, running.notices[0]]).toEqual([
			0,
			"This note was moved or deleted. It will leave the index shortly.",
		]);
	});

	it.each<[heading: string, link: string]>([
		["C# basics", "#C basics"],
		["[[nodiscard]]", "#nodiscard"],
		["a | b ^x", "#a b x"],
	])("links to the heading %s as Obsidian does", async (heading, subpath) => {
		await paired();
		const made = vi.spyOn(running.app.fileManager, "generateMarkdownLink");
		host().linkTo(place({ headings: ["Bread", "Steps", heading] }));
		expect(made.mock.calls[0]?.[2]).toBe(`#Steps${subpath}`);
	});

	it.each([
		["what is selected", "see the loaf", "the loaf", "the loaf"],
		["nothing, where lines are selected", "one\ntwo", "one\ntwo", undefined],
	])("has a link that is inserted read %s", async (_, text, selected, alias) => {
		await paired();
		const { MarkdownView } = await import("obsidian-test-mocks/obsidian");
		const leaf = running.app.workspace.getLeaf(false);
		const editing = MarkdownView.create2__(leaf);
		editing.setViewData(text, true);
		editing.getMode = () => "source";
		vi.spyOn(editing.editor, "getSelection").mockReturnValue(selected);
		leaf.view = editing.asOriginalType7__();
		vi.spyOn(running.app.workspace, "getMostRecentLeaf").mockReturnValue(leaf);
		const made = vi
			.spyOn(running.app.fileManager, "generateMarkdownLink")
			.mockReturnValue("[[Kitchen/Bread|the loaf]]");
		host().insertLink?.(place());
		expect(made.mock.calls[0]?.[3]).toBe(alias);
	});

	it("opens the search with what was searched for last, to be typed over", async () => {
		await paired();
		const input = (): HTMLInputElement | null | undefined =>
			running.modals[0]?.contentEl.querySelector<HTMLInputElement>(".sj-input");
		command("search");
		const first = input();
		if (first) first.value = "dough";
		first?.dispatchEvent(new Event("input"));
		running.modals[0]?.close();
		command("search");
		const again = input();
		expect([again?.value, again?.selectionStart, again?.selectionEnd]).toEqual(["dough", 0, 5]);
		await settled(() => daemon.searches.some(({ query, remember }) => query === "dough" && remember === false));
	});

	it("has Obsidian draw a passage of this vault, but for one that may load from the web, and none of another vault", async () => {
		await paired();
		const drawn = vi.spyOn(running.markdown, "render").mockResolvedValue();
		const into = createDiv();
		const drawer = host().markdown(place());
		await drawer.draw("so ![x](x.png)", into);
		await drawer.draw("so ![A bird](https://a.example/x.png)", into);
		drawer.release();
		await host()
			.markdown(place({ vault: "Elsewhere" }))
			.draw("a *heron*", into);
		expect(drawn.mock.calls.map((call) => [call[1], call[3]])).toEqual([["so ![x](x.png)", "Kitchen/Bread.md"]]);
		expect([...into.querySelectorAll("p")].map(({ textContent }) => textContent)).toEqual(["so A bird", "a heron"]);
		expect(into.querySelector("img")).toBeNull();
	});

	it("runs no code of another vault's notes in the plugins of this one, and that of its own where the app does", async () => {
		await paired();
		const ran = async (of: Place): Promise<number> => {
			running.markdown.live.length = 0;
			for (const { text } of DISGUISED_CODE) await host().markdown(of).draw(text, createDiv());
			return running.markdown.live.length;
		};
		expect(await ran(place({ vault: "Elsewhere" }))).toBe(0);
		expect(await ran(place())).toBeGreaterThanOrEqual(DISGUISED_CODE.length / 2);
	});

	it("takes a review back after Obsidian has rewritten the links to what was moved", async () => {
		await paired();
		const { vault } = running.app;
		const log = await vault.create("Log.md", "A cat, see [[Kitchen/Bread]].\n");
		const change = { vault: "Notes", line: 1, column: 0 };
		const applied = await host().applyChanges({
			changes: [
				{ ...change, action: "replace", path: "Log.md", before: "cat", after: "cow" },
				{ action: "move", vault: "Notes", path: "Kitchen/Bread.md", to: "Pantry/Bread.md" },
			],
			files: [],
		});
		expect([applied?.stays, await vault.read(log)]).toEqual([[], "A cow, see [[Pantry/Bread]].\n"]);
		expect(await applied?.undo()).toBe(true);
		expect([await vault.read(log), vault.getFileByPath("Kitchen/Bread.md")?.path]).toEqual([
			"A cat, see [[Kitchen/Bread]].\n",
			"Kitchen/Bread.md",
		]);
	});

	it("has Obsidian draw nothing while the daemon does not say which vault is open: another may have its name", async () => {
		sees(profile([{ ...VAULT, name: OPEN, own: false }]));
		await paired();
		const drawn = vi.spyOn(running.markdown, "render").mockResolvedValue();
		await host()
			.markdown(place({ vault: OPEN }))
			.draw("```dataviewjs\n1\n```", createDiv());
		expect(drawn).not.toHaveBeenCalled();
	});

	it("links a note where another names it, as it is written there", async () => {
		await paired();
		const { vault } = running.app;
		const file = await vault.create("Log.md", "# Log\n\nThe bread proved overnight.\n");
		const { mentionIn, linkMention } = {
			mentionIn: host().mentionIn?.bind(host()),
			linkMention: host().linkMention?.bind(host()),
		};
		const mention = await mentionIn?.("Log.md", place());
		expect(mention).toMatchObject({ line: 3, written: "bread" });
		const made = vi
			.spyOn(running.app.fileManager, "generateMarkdownLink")
			.mockReturnValue("[[Kitchen/Bread|bread]]");
		expect(mention && (await linkMention?.("Log.md", place(), mention))).toBe(true);
		expect(made.mock.calls[0]?.slice(1)).toEqual(["Log.md", "", "bread"]);
		expect(await vault.read(file)).toBe("# Log\n\nThe [[Kitchen/Bread|bread]] proved overnight.\n");
	});

	it("looks for no name in a note of more than 200,000 letters", async () => {
		await paired();
		const { vault } = running.app;
		for (const [path, letters] of [
			["Long.md", 200_000],
			["Longer.md", 200_001],
		] as const)
			await vault.create(path, "The bread. ".padEnd(letters, "x"));
		expect([
			(await host().mentionIn("Long.md", place()))?.written,
			await host().mentionIn("Longer.md", place()),
		]).toEqual(["bread", null]);
	});

	it.each([
		["its line has changed", "# Log\n\nNo bread today.\n", "# Log\n\nThe other bread.\n"],
		["it moved to another line", "# Log\n\nThe bread.\n", "# Log\n\n\nThe bread.\n"],
		["it is gone", "# Log\n\nThe bread.\n", "# Log\n"],
	])("links nothing where %s since it was offered", async (_, before, after) => {
		await paired();
		const { vault } = running.app;
		const file = await vault.create("Log.md", before);
		const own = host();
		const mention = await own.mentionIn?.("Log.md", place());
		const reading = vi.spyOn(vault, "cachedRead").mockResolvedValue(before);
		if (after.includes("\n\n\n")) reading.mockResolvedValue(after);
		await vault.modify(file, after);
		expect(mention && (await own.linkMention?.("Log.md", place(), mention))).toBe(false);
		expect([await vault.read(file), running.notices.at(-1)]).toEqual([
			after,
			"The note has changed since. Nothing was linked.",
		]);
	});

	it.each([
		['tag:recipe "sour dough" -old', "sour dough.md"],
		[".env keys", "env keys.md"],
		["path:Plugins a/b: what?", "a b what.md"],
		["tag:only", "Untitled.md"],
		["x".repeat(300), `${"x".repeat(120)}.md`],
	])("makes of %s a note with a name that files can have", async (query, name) => {
		host().createNote?.(query);
		await settled(() => running.app.vault.getFileByPath(name) !== null);
	});
});
