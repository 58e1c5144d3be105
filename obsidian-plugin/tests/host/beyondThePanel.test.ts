import { rmSync } from "node:fs";
import * as mocks from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IDENTITY, http, TOKEN, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { FakeDaemon, note, Refused, response, result, status } from "../helpers/fakeDaemon";
import { runPlugin, type Running } from "../helpers/obsidian";

type Handler = (given: Record<string, string>) => Promise<string>;
interface Item {
	title: string;
	click: () => void;
}

const OWN = {
	id: "home",
	name: "home",
	colour: null,
	vaults: [{ id: "0000000a", name: "Notes", own: true, allow: ["."], exclude: [], root: null }],
	federate: true,
	encrypted: false,
	model: "bundled",
	locked: false,
};

describe("what the plugin offers beside its panes", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;
	let commands: Map<string, Handler>;

	/** What the plugin adds to a menu of the app's. */
	const items = (event: string, ...about: unknown[]): Item[] => {
		const added: Item[] = [];
		const menu = {
			addItem: (make: (item: object) => void): void => {
				const item: Item = { title: "", click: () => undefined };
				const builder = {
					setTitle: (title: string) => ((item.title = title), builder),
					setIcon: () => builder,
					onClick: (click: () => void) => ((item.click = click), builder),
				};
				make(builder);
				added.push(item);
			},
		};
		running.app.workspace.trigger(event, menu, ...about);
		return added;
	};

	beforeEach(async () => {
		home = homeOfDaemon();
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/profiles", () => ({ profiles: [OWN] }))
			.on("GET /v1/related", () => ({ notes: [note({ path: "Oven.md", title: "Oven", excerpt: "It is hot." })] }))
			.on("POST /v1/search", () =>
				response([
					result(),
					result({ vault: "Elsewhere", path: "Far.md", title: "Far", snippet: "Far\naway." }),
				]),
			);
		commands = new Map();
		vi.spyOn(mocks.Plugin.prototype as unknown as Registry, "registerCliHandler").mockImplementation(
			(name, _about, _flags, handler) => void commands.set(name, handler),
		);
		running = await runPlugin({ "Kitchen/Bread.md": "# Bread\n", "Oven.md": "" }, http(daemon, IDENTITY));
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		running.plugin.link.connection.start();
		await settled(() => running.plugin.link.profiles.length > 0);
	});
	afterEach(() => {
		running.plugin.onunload();
		vi.unstubAllEnvs();
		rmSync(home, { recursive: true });
		document.body.replaceChildren();
	});

	describe("to other plugins", () => {
		it("says its version, and finds as the search does, without a trace in the history", async () => {
			expect(running.plugin.api.version).toBe(1);
			const found = await running.plugin.api.search("dough", { limit: 400 });
			expect(daemon.searches).toEqual([{ query: "dough", limit: 50, group: "note", remember: false }]);
			expect(
				found.map(({ path, vault, isHere, line, relevance }) => [path, vault, isHere, line, relevance]),
			).toEqual([
				["Kitchen/Bread.md", "Notes", true, 7, "high"],
				["Far.md", "Elsewhere", false, 7, "high"],
			]);
			expect(found[1]?.link).toMatch(/^\[Far\]\(obsidian:\/\/open\?vault=Elsewhere/);
		});

		it("finds what is related to a note of this vault", async () => {
			const found = await running.plugin.api.related("Kitchen/Bread.md");
			expect(found.map(({ title, excerpt }) => [title, excerpt])).toEqual([["Oven", "It is hot."]]);
			expect(daemon.asked.at(-1)?.path).toBe("/v1/related?vault=Notes&path=Kitchen%2FBread.md&limit=20");
		});

		it("rejects with words where nobody answers", async () => {
			daemon.isAway = true;
			await expect(running.plugin.api.search("dough")).rejects.toBeInstanceOf(Error);
		});
	});

	describe("on the command line", () => {
		it("prints a line for each note, or all as JSON", async () => {
			expect(await commands.get("scrubjay:search")?.({ query: "dough", limit: "5" })).toBe(
				"Kitchen/Bread.md:7\tA wetter dough ferments faster.\nElsewhere: Far.md:7\tFar away.",
			);
			expect(daemon.searches[0]?.limit).toBe(5);
			const json = await commands.get("scrubjay:related")?.({ path: "Kitchen/Bread.md", format: "json" });
			expect((JSON.parse(json ?? "") as { path: string }[])[0]?.path).toBe("Oven.md");
		});

		it("prints why there is nothing", async () => {
			daemon.on("POST /v1/search", () => response([]));
			expect(await commands.get("scrubjay:search")?.({ query: "dough" })).toBe("No note fits");
			daemon.on("POST /v1/search", () => new Refused(400, { detail: "The query is too long." }));
			expect(await commands.get("scrubjay:search")?.({ query: "dough" })).toBe("The query is too long.");
		});

		it("is not asked for where Obsidian has none for plugins", async () => {
			commands.clear();
			const before = await runPlugin({}, http(daemon, IDENTITY), "en", undefined, "1.8.7");
			expect([...commands.keys()]).toEqual([]);
			before.plugin.onunload();
		});
	});

	describe("in context menus", () => {
		it("searches for selected text, and offers that only where some is", async () => {
			expect(items("editor-menu", { getSelection: () => " " })).toEqual([]);
			const [search] = items("editor-menu", { getSelection: () => "sour dough" });
			search?.click();
			expect(running.modals[0]?.contentEl.querySelector<HTMLInputElement>(".sj-input")?.value).toBe("sour dough");
			const command = running.plugin.commands__.get("search-selection");
			expect(command?.editorCheckCallback?.(true, { getSelection: () => "" } as never, {} as never)).toBe(false);
		});

		it("opens a file with what is related to it", async () => {
			const file = running.app.vault.getFileByPath("Oven.md");
			const leaf = running.app.workspace.getLeaf(false);
			vi.spyOn(running.app.workspace, "getLeaf").mockReturnValue(leaf);
			const opened = vi.spyOn(leaf, "openFile").mockResolvedValue(undefined);
			const [related, ...others] = items("file-menu", file, "file-explorer");
			expect([related?.title, others]).toEqual(["Show related notes", []]);
			related?.click();
			await settled(() => opened.mock.calls.length > 0);
			expect(opened.mock.calls[0]?.[0]).toBe(file);
			expect(items("file-menu", running.app.vault.getFolderByPath("Kitchen"), "file-explorer")).toEqual([]);
		});

		it("shows the app's own menu of a result's file, and none for a note of another vault", () => {
			const host = running.plugin.hostFor({ hoverPopover: null });
			const asked: unknown[] = [];
			running.app.workspace.on("file-menu", (_menu, file) => void asked.push(file));
			vi.spyOn(mocks.Menu.prototype, "showAtMouseEvent").mockReturnThis();
			const place = { vault: "Notes", path: "Oven.md", title: "Oven", profile: "home" };
			expect(host.menu(new MouseEvent("contextmenu"), place)).toBe(true);
			expect(host.menu(new MouseEvent("contextmenu"), { ...place, vault: "Elsewhere" })).toBe(false);
			expect(asked).toEqual([running.app.vault.getFileByPath("Oven.md")]);
		});
	});
});

interface Registry {
	registerCliHandler: (name: string, about: string, flags: object, handler: Handler) => void;
}
