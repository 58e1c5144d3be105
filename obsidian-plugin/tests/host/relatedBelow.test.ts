import { rmSync } from "node:fs";
import * as mocks from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IDENTITY, http, TOKEN, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { FakeDaemon, note, response, result, status } from "../helpers/fakeDaemon";
import { runPlugin, Sight, type Running } from "../helpers/obsidian";

const OWN = { id: "0000000a", name: "Notes", own: true, allow: ["."], exclude: [], root: null };

describe("related notes below the note", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;

	const asked = (): string[] =>
		daemon.asked
			.filter(({ path }) => path.startsWith("/v1/related"))
			.map(({ path }) => new URLSearchParams(path.split("?")[1]).get("path") ?? "");
	/** A view as the app builds it: both modes, and Obsidian's own backlinks at the end of the one that is on. */
	const open = (path: string): mocks.MarkdownView => {
		const leaf = running.app.workspace.getLeaf(true);
		const view = mocks.MarkdownView.create2__(leaf);
		view.file = running.app.vault.getFileByPath(path);
		const backlinks = createDiv({ cls: "embedded-backlinks" });
		const sizer = createDiv({ cls: "cm-sizer" });
		sizer.append(createDiv({ cls: "cm-contentContainer" }), backlinks);
		view.containerEl.createDiv({ cls: "markdown-source-view" }).append(sizer);
		const preview = view.containerEl.createDiv({ cls: "markdown-reading-view" });
		const reading = preview
			.createDiv({ cls: "markdown-preview-view" })
			.createDiv({ cls: "markdown-preview-sizer" });
		reading.append(createDiv({ cls: "markdown-preview-pusher" }), createDiv({ cls: "mod-footer" }));
		leaf.view = view.asOriginalType7__();
		document.body.append(view.containerEl);
		vi.spyOn(running.app.workspace, "getMostRecentLeaf").mockReturnValue(leaf);
		running.app.workspace.trigger("layout-change");
		running.app.workspace.trigger("file-open", view.file);
		return view;
	};
	const feet = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".sj-below")];
	const rows = (foot = feet()[0]): string[] =>
		[...(foot?.querySelectorAll(".sj-line-title") ?? [])].map(({ textContent }) => textContent ?? "");
	const see = (isInSight: boolean, foot = feet()[0]): void =>
		Sight.all.find(({ target }) => target === foot)?.see(isInSight);

	/** The pane is open, and what stands below the note is in sight. */
	const seenBesideThePane = async (): Promise<{ onClose(): Promise<void> }> => {
		const pane = running.plugin.views__.get("scrubjay-related")?.(
			mocks.WorkspaceLeaf.create2__(running.app) as never,
		) as unknown as { onOpen(): Promise<void>; onClose(): Promise<void> };
		await pane.onOpen();
		see(true);
		await settled(() => rows().includes("Garden"));
		return pane;
	};

	beforeEach(async () => {
		vi.stubGlobal("IntersectionObserver", Sight);
		home = homeOfDaemon();
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/profiles", () => ({
				profiles: [{ id: "home", name: "home", colour: null, vaults: [OWN], federate: true, encrypted: false }],
			}))
			.on("GET /v1/related", () => ({ notes: [note()] }))
			.on("POST /v1/search", () => response([result()]));
		running = await runPlugin({ "Open.md": "The loaf.", "Other.md": "" }, http(daemon, IDENTITY));
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		running.plugin.link.connection.start();
		await settled(() => running.plugin.link.profiles.length > 0);
	});
	afterEach(() => {
		running.plugin.unload();
		vi.unstubAllEnvs();
		vi.unstubAllGlobals();
		rmSync(home, { recursive: true });
		document.body.replaceChildren();
		Sight.all.length = 0;
	});

	it("are there only where the user wants them, and go with the setting", () => {
		open("Open.md");
		expect([feet().length, Sight.all.length]).toEqual([0, 0]);
		running.plugin.changeSettings({ relatedBelow: true });
		expect(feet()).toHaveLength(1);
		running.plugin.changeSettings({ relatedBelow: false });
		expect([feet().length, Sight.all.length, asked()]).toEqual([0, 0, []]);
	});

	it("stand at the end of the note in both modes, before Obsidian's backlinks", () => {
		running.plugin.changeSettings({ relatedBelow: true });
		const view = open("Open.md");
		const [foot] = feet();
		expect([foot?.parentElement?.className, foot?.nextElementSibling?.className]).toEqual([
			"cm-sizer",
			"embedded-backlinks",
		]);
		view.getMode = () => "preview";
		running.app.workspace.trigger("layout-change");
		expect(feet().map((each) => each.parentElement?.className)).toEqual(["mod-footer"]);
		expect(feet()[0]).toBe(foot);
	});

	it("are asked for once they are seen, and then with the note that the view shows", async () => {
		running.plugin.changeSettings({ relatedBelow: true });
		const view = open("Open.md");
		running.app.vault.trigger("modify", view.file);
		await new Promise((resolve) => window.setTimeout(resolve, 50));
		expect(asked()).toEqual([]);
		see(true);
		await settled(() => rows().includes("Garden"));
		expect([asked(), feet()[0]?.querySelector("h2")?.textContent]).toEqual([["Open.md"], "Related notes"]);
		see(false);
		view.file = running.app.vault.getFileByPath("Other.md");
		running.app.workspace.trigger("file-open", view.file);
		await new Promise((resolve) => window.setTimeout(resolve, 50));
		expect(asked()).toEqual(["Open.md"]);
		see(true);
		await settled(() => asked().length === 2);
		expect(asked()[1]).toBe("Other.md");
	});

	it("ask nothing again that the pane beside the note knows, and are renewed with it by one request", async () => {
		running.plugin.changeSettings({ relatedBelow: true });
		const view = open("Open.md");
		const pane = await seenBesideThePane();
		see(false);
		see(true);
		expect(asked()).toEqual(["Open.md"]);
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		running.app.vault.trigger("modify", view.file);
		vi.advanceTimersByTime(5_000);
		vi.useRealTimers();
		await settled(() => asked().length > 1);
		await new Promise((resolve) => window.setTimeout(resolve, 50));
		expect(asked()).toEqual(["Open.md", "Open.md"]);
		await pane.onClose();
	});

	it("follow what is being written, in one request with the pane", async () => {
		running.plugin.changeSettings({ relatedBelow: true });
		running.plugin.hostFor({ hoverPopover: null }).storage.write("related-follows-section", true);
		const view = open("Open.md");
		view.setViewData("The loaf was dense, so we gave it more water.", true);
		const pane = await seenBesideThePane();
		running.app.workspace.trigger("editor-change", view.editor, view);
		await settled(() => rows().includes("Bread"));
		expect(daemon.searches.map(({ query }) => query)).toEqual([
			'the loaf was dense so we gave it more water -path:"Open.md"',
		]);
		await pane.onClose();
	});

	it("stand below each note that is open, each with its own, and go with its view and the plugin", async () => {
		running.plugin.changeSettings({ relatedBelow: true });
		open("Open.md");
		open("Other.md");
		for (const foot of feet()) see(true, foot);
		await settled(() => asked().length === 2);
		expect(asked().sort()).toEqual(["Open.md", "Other.md"]);
		const { leaves } = running.app.workspace as unknown as { leaves: mocks.WorkspaceLeaf[] };
		leaves.splice(
			leaves.findIndex((leaf) => leaf.view instanceof mocks.MarkdownView),
			1,
		);
		running.app.workspace.trigger("layout-change");
		expect([feet().length, Sight.all.length]).toEqual([1, 1]);
		running.plugin.unload();
		expect([feet().length, Sight.all.length]).toEqual([0, 0]);
	});

	it("keep the marks of notes that are moved, also while nothing of it is in sight", () => {
		const { storage } = running.plugin.hostFor({ hoverPopover: null });
		storage.write("related-marks", {
			pinned: { "Notes\nOpen.md": [{ profile: "home", vault: "Notes", path: "A.md", title: "A" }] },
		});
		running.app.vault.trigger("rename", { path: "Moved.md" }, "Open.md");
		expect(Object.keys((storage.read("related-marks") as { pinned: object }).pinned)).toEqual(["Notes\nMoved.md"]);
	});
});
