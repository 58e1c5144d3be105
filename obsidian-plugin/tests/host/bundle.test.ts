import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { proofOf } from "../../src/host/obsidian/daemon/proof";
import type { Language } from "../../src/words/languages";
import { FakeDaemon, note, Refused, response, result, status } from "../helpers/fakeDaemon";
import { IDENTITY, http, PAIRING_KEY, TOKEN, URL_OF_DAEMON, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { PLUGIN_FILES, runCommand, runPlugin, type Running } from "../helpers/obsidian";
import { EN, TABLES } from "../helpers/tables";

const MOST_BYTES = 240_000;

describe("the plugin as it is shipped", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;
	let requests: string[];

	const start = async (identity = IDENTITY, language = "en"): Promise<void> => {
		const answer = http(daemon, identity);
		const sent = requests; // what was under way in the test before is none of this one's
		running = await runPlugin(
			{ "Kitchen/Bread.md": "# Bread\n\nA wetter dough.\n", "Open.md": "" },
			(request) => {
				sent.push(
					`${request.url.slice(URL_OF_DAEMON.length)} ${request.headers?.["Authorization"] ?? ""}`.trim(),
				);
				return answer(request);
			},
			language,
		);
	};
	const command = (id: string): void => runCommand(running.plugin, id);
	const pairWithKey = async (): Promise<void> => {
		daemon
			.on("POST /v1/pairing", () => ({ id: "0123456789abcdef", code: "ABC234", secret: "once", seconds: 300 }))
			.on("POST /v1/pairing/0123456789abcdef/proof", () => ({ state: "approved" }))
			.on("POST /v1/pairing/0123456789abcdef/collect", () => ({ state: "approved", token: TOKEN }));
		command("pair");
		await settled(() => running.notices.includes("This vault is paired")); // the token is kept before it is asked what it may see
	};

	beforeEach(() => {
		requests = [];
		home = homeOfDaemon();
		writeFileSync(join(home, "state", "pairing.key"), PAIRING_KEY);
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/profiles", () => ({
				profiles: [
					{
						name: "home",
						colour: null,
						vaults: [{ name: "mock-vault", allow: ["."], exclude: ["Private"] }],
						federate: true,
						encrypted: false,
					},
				],
			}))
			.on("GET /v1/recent", () => ({ notes: [note()] }))
			.on("POST /v1/search", () =>
				response([
					result({
						vault: running.app.vault.getName(),
						line: 3,
						snippet: "A wetter dough.",
						highlights: [[9, 14]],
					}),
					result({ vault: "Elsewhere", path: "Far.md", title: "Far" }),
				]),
			);
	});
	afterEach(() => {
		running.plugin.onunload();
		vi.unstubAllEnvs();
		vi.unstubAllGlobals();
		rmSync(home, { recursive: true });
		document.body.replaceChildren();
	});

	it("is small, and can be read: nothing in it is packed or makes code of text", () => {
		const bytes = statSync(join(PLUGIN_FILES, "main.js")).size;
		expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
		const code = readFileSync(join(PLUGIN_FILES, "main.js"), "utf8");
		const unwanted = /innerHTML|insertAdjacentHTML|\beval\(|new Function|["']zlib["']|atob\(|\bimport\(/g;
		expect(code.match(unwanted) ?? []).toEqual([]);
		// Code and words have blanks and quotation marks all the time; what is packed has neither.
		expect((code.match(/[^\s"]{1000,}/g) ?? []).map(({ length }) => length)).toEqual([]);
		return start();
	});

	it("starts without what reads Markdown, what lays out pictures, and the browser's locale data: they take long", async () => {
		const bind = vi.fn(() => () => 0);
		vi.stubGlobal(
			"requestAnimationFrame",
			Object.assign(() => 0, { bind }),
		);
		const costly = [
			bind,
			vi.spyOn(window as unknown as { RegExp: RegExpConstructor }, "RegExp"),
			vi.spyOn(Intl, "NumberFormat"),
			vi.spyOn(Intl, "RelativeTimeFormat"),
			vi.spyOn(Number.prototype, "toLocaleString"),
		];
		await start();
		for (const made of costly) expect(made).not.toHaveBeenCalled();
	});

	describe.each<[tag: string, language: Language, pair: string, show: string]>([
		["de", "de", "Diesen Vault koppeln", "Suche in der Seitenleiste zeigen"],
		["fr", "fr", "Associer ce coffre", "Afficher la recherche dans la barre latérale"],
		["es", "es", "Vincular esta bóveda", "Mostrar la búsqueda en la barra lateral"],
		["zh", "zh", "配对此仓库", "在侧边栏显示搜索"],
		["ja", "ja", "この保管庫をペアリング", "サイドバーに検索を表示"],
	])("where Obsidian speaks %s", (tag, language, pair, show) => {
		const names = (): string[] => [...running.plugin.commands__.values()].map(({ name }) => name);
		const kept = (): unknown => running.app.loadLocalStorage("scrubjay-words");
		beforeEach(() => daemon.on(`GET /assets/words-${language}.json`, () => TABLES[language]));

		it("speaks English until the daemon has told the words, and then the language, in open panes, too", async () => {
			await start(IDENTITY, tag);
			expect(names()).toEqual(expect.arrayContaining([EN["command.pair"], EN["command.showSearch"]]));
			const leaf = running.app.workspace.getLeaf(false);
			const view = running.plugin.views__.get("scrubjay-status")?.(leaf as never);
			if (!view) throw new Error("There is no pane of the status.");
			vi.spyOn(running.app.workspace, "getLeavesOfType").mockImplementation((type) =>
				type === "scrubjay-status" ? [{ view } as never] : [],
			);
			await (view as unknown as { onOpen(): Promise<void> }).onOpen();
			running.plugin.link.connection.start(); // it is not paired: the daemon tells words to everybody
			await settled(() => names().includes(pair) && names().includes(show));
			expect(view.getDisplayText()).toBe(TABLES[language]["pane.status"]);
			expect(view.containerEl.textContent).toContain(TABLES[language]["unpaired.title"]);
		});

		it("speaks it at once where it was told before", async () => {
			await start(IDENTITY, tag);
			const { app } = running;
			running.plugin.link.connection.start();
			await settled(() => kept() !== null);
			daemon.isAway = true;
			running.plugin.onunload();
			running = await runPlugin({}, http(daemon, IDENTITY), tag, app);
			expect(names()).toEqual(expect.arrayContaining([pair, show]));
			const told = "failure.binary";
			expect((kept() as { sentences: Record<string, string> }).sentences[told]).toBe(TABLES[language][told]);
		});
	});

	it("asks for no words where it has them, or where there are none", async () => {
		for (const tag of ["en", "pt-BR"]) {
			await start(IDENTITY, tag);
			running.plugin.link.connection.start();
			await settled(() => running.plugin.link.connection.current.phase === "unauthorized");
			running.plugin.onunload();
		}
		expect(daemon.asked.filter(({ path }) => path.startsWith("/assets"))).toEqual([]);
	});

	it("takes of words from elsewhere only what are sentences of its own, and says the others in English", async () => {
		daemon.on("GET /assets/words-de.json", () => ({ "command.pair": "Koppeln", "command.search": 7, other: "x" }));
		await start(IDENTITY, "de");
		running.plugin.link.connection.start();
		const named = (id: string): string | undefined => running.plugin.commands__.get(id)?.name;
		await settled(() => named("pair") === "Koppeln");
		expect(named("search")).toBe(EN["command.search"]);
		expect(running.app.loadLocalStorage("scrubjay-words")).toEqual({
			language: "de",
			sentences: { "command.pair": "Koppeln" },
		});
	});

	it("searches for what an address such as obsidian://scrubjay?query=dough says", async () => {
		await start();
		const open = (
			running.plugin as unknown as {
				obsidianProtocolHandlers__: Map<string, (params: Record<string, string>) => void>;
			}
		).obsidianProtocolHandlers__.get("scrubjay");
		open?.({ action: "scrubjay", query: "dough" });
		expect(running.modals[0]?.contentEl.querySelector<HTMLInputElement>(".sj-input")?.value).toBe("dough");
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		await settled(() => {
			open?.({ action: "scrubjay", query: "dough" });
			return daemon.searches.length > 0;
		});
		expect(daemon.searches.every(({ remember }) => remember === false)).toBe(true); // a web page may have said so
	});

	it("asks nothing until the layout is ready, and sets no hotkey", async () => {
		await start();
		const commands = [...running.plugin.commands__.values()];
		expect(commands.length).toBeGreaterThan(4);
		expect(commands.every(({ hotkeys }) => hotkeys === undefined)).toBe(true);
	});

	it("pairs in one click by proving to be the same user, and keeps the token out of data.json", async () => {
		await start();
		await pairWithKey();
		const proof = daemon.asked.find(({ path }) => path.endsWith("/proof"));
		expect(proof?.body).toEqual({ proof: await proofOf(PAIRING_KEY, "0123456789abcdef") });
		running.plugin.changeSettings({ limit: 30 });
		expect(JSON.stringify(running.plugin.data__)).not.toContain(TOKEN);
		expect(running.app.secretStorage.getSecret("scrubjay-token")).toBe(TOKEN);
	});

	it("says what the new token may see also where it was asked twice, and the later answer counts", async () => {
		await start();
		running.plugin.link.connection.start();
		await settled(() => running.plugin.link.connection.current.phase === "unauthorized");
		const profiles = daemon.answers.get("GET /v1/profiles");
		const waiting: (() => void)[] = [];
		daemon.on("GET /v1/profiles", async (request) => {
			await new Promise<void>((answer) => waiting.push(answer));
			return profiles?.(request);
		});
		const paired = pairWithKey();
		await settled(() => waiting.length === 2);
		waiting[0]?.();
		await new Promise((resolve) => window.setTimeout(resolve));
		expect(running.notices).toEqual([]);
		waiting[1]?.();
		await paired;
		expect(running.notices).toEqual(["This vault is paired"]);
	});

	it("gives its token back when it is told to forget", async () => {
		await start();
		await pairWithKey();
		daemon.on("DELETE /v1/clients/self", () => ({}));
		running.plugin.forgetToken();
		await settled(() => running.notices.includes("This vault is forgotten"));
		expect(daemon.asked.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual([
			"/v1/clients/self",
		]);
		expect(running.plugin.link.isPaired).toBe(false);
	});

	it("forgets its token also where the daemon cannot be told, and says so", async () => {
		await start();
		await pairWithKey();
		daemon.isAway = true;
		running.plugin.forgetToken();
		await settled(() => running.notices.some((notice) => notice.includes("scrubjay clients revoke")));
		expect(running.plugin.link.isPaired).toBe(false);
	});

	it("takes the token over that an older Obsidian kept in local storage, and leaves none there", async () => {
		await start();
		running.app.saveLocalStorage("scrubjay-token", TOKEN);
		expect(running.plugin.link.isPaired).toBe(true);
		expect(running.app.secretStorage.getSecret("scrubjay-token")).toBe(TOKEN);
		expect(running.app.loadLocalStorage("scrubjay-token")).toBeNull();
	});

	it("shows a code to compare where the key cannot be read", async () => {
		rmSync(join(home, "state", "pairing.key"));
		await start();
		let decision = "waiting";
		daemon
			.on("POST /v1/pairing", () => ({ id: "0123456789abcdef", code: "ABC234", secret: "once", seconds: 300 }))
			.on("POST /v1/pairing/0123456789abcdef/collect", () => ({ state: decision }));
		command("pair");
		await settled(() => document.body.textContent?.includes("ABC234") ?? false);
		decision = "refused";
		await settled(() => running.notices.includes("The request was refused in Scrubjay."));
		expect(running.modals).toHaveLength(0);
	});

	it("sends the token to no stranger that took the port", async () => {
		await start("another secret");
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		running.plugin.link.connection.start();
		await settled(() => running.plugin.link.connection.current.phase === "offline");
		const isProof = (request: string): boolean => request.startsWith("/health?") && !request.includes("Bearer");
		expect(requests.filter((request) => !isProof(request))).toEqual([]);
	});

	it("searches from the modal, opens this vault's note at the match and another vault's read-only", async () => {
		await start();
		await pairWithKey();
		command("search");
		const modal = running.modals[0];
		const input = modal?.contentEl.querySelector<HTMLInputElement>(".sj-input");
		if (!modal || !input) throw new Error("There is no search modal.");
		input.value = "dough";
		input.dispatchEvent(new Event("input"));
		await settled(() => modal.contentEl.querySelectorAll(".sj-result").length === 2);
		const opened: unknown[][] = [];
		const leaf = running.app.workspace.getLeaf(false);
		vi.spyOn(running.app.workspace, "getLeaf").mockReturnValue(leaf);
		vi.spyOn(leaf, "openFile").mockImplementation((file, state) => {
			opened.push([file.path, state]);
			return Promise.resolve();
		});
		input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
		await settled(() => opened.length === 1);
		expect(opened[0]).toEqual([
			"Kitchen/Bread.md",
			{ active: true, eState: { match: { content: "# Bread\n\nA wetter dough.\n", matches: [[18, 23]] } } },
		]);
		expect(running.modals).toHaveLength(0);
	});

	it("reads a note of another vault in a window of its own", async () => {
		await start();
		await pairWithKey();
		daemon.on("GET /v1/notes/a1b2c3d4e5f6", () => ({
			profile: "home",
			vault: "Elsewhere",
			path: "Far.md",
			title: "Far",
			tags: [],
			modified: "2026-01-01T00:00:00Z",
			redactions: 1,
			passages: [{ headings: ["Baking"], line: 7, text: "Far away text" }],
		}));
		running.plugin
			.hostFor({ hoverPopover: null })
			.open(
				{
					indexed: { id: "a1b2c3d4e5f6", profile: "home" },
					vault: "Elsewhere",
					path: "Far.md",
					title: "Far",
					line: 7,
				},
				"here",
			);
		await settled(() => document.body.textContent?.includes("Far away text") ?? false);
		expect(document.body.textContent).toContain("1 credential redacted");
	});

	it("shows the state in the status bar and in the settings", async () => {
		await start();
		await pairWithKey();
		running.plugin.link.connection.start();
		await settled(() => running.plugin.statusBarItems__[0]?.textContent === "3 notes");
		const tab = running.plugin.settingTabs__[0] as unknown as {
			getSettingDefinitions(): { heading: string; items: { name: string; desc: string }[] }[];
		};
		const rows = tab.getSettingDefinitions().flatMap(({ items }) => items);
		expect(rows.find(({ name }) => name === "home")?.desc).toBe(
			"mock-vault: the whole vault, without Private. Change this in Scrubjay.",
		);
	});

	it("draws its settings in versions of Obsidian that do not ask for definitions, and keeps what is changed", async () => {
		await start();
		const tab = running.plugin.settingTabs__[0] as unknown as {
			display(): void;
			hide(): void;
			containerEl: HTMLElement;
		};
		tab.display();
		tab.display();
		const names = [...tab.containerEl.children].map((row) => row.children[1]?.firstElementChild?.textContent);
		expect(names).toEqual(
			expect.arrayContaining([
				"Service",
				"Search mode",
				"Results at first",
				"Search as you type",
				"Remember searches",
			]),
		);
		expect(new Set(names).size).toBe(names.length);
		running.plugin.changeSettings({ keepHistory: false });
		await settled(() => (running.plugin.data__ as { keepHistory?: boolean }).keepHistory === false);
		tab.hide();
	});

	it("says when this vault is not let in", async () => {
		await start();
		daemon.on("GET /v1/status", () => new Refused(401, {}));
		running.plugin.link.connection.start();
		await settled(() => running.plugin.statusBarItems__[0]?.textContent === "Not paired");
	});
});
