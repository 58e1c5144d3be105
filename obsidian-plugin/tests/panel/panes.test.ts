import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import type { ClientReply, HiddenNoteReply, PageSession, PairingReply, SearchEventReply } from "../../src/api/wire";
import { ClientsView } from "../../src/panel/clients/clientsView";
import { SearchesView } from "../../src/panel/history/searchesView";
import { RelatedAnswers } from "../../src/panel/notes/relatedAnswers";
import { RelatedView, type ActiveNote } from "../../src/panel/notes/relatedView";
import { Connection } from "../../src/panel/status/connection";
import { StatusView } from "../../src/panel/status/statusView";
import { FakeDaemon, note, onDisk, Refused, status } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

let daemon: FakeDaemon;
let client: Client;
let host: RecordingHost;

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const texts = (within: HTMLElement, selector: string): string[] =>
	[...within.querySelectorAll(selector)].map((element) => element.textContent ?? "");
const button = (within: HTMLElement, label: string): HTMLElement => {
	const found = [...within.querySelectorAll<HTMLElement>("button")].find(
		(candidate) => candidate.textContent === label,
	);
	if (!found) throw new Error(`There is no button ${label}.`);
	return found;
};

beforeEach(() => {
	vi.useFakeTimers();
	daemon = new FakeDaemon();
	client = new Client(daemon);
	host = new RecordingHost();
});
afterEach(() => {
	document.body.replaceChildren();
	vi.useRealTimers();
});

describe("related notes", () => {
	let active: ActiveNote | null;
	let view: RelatedView;

	const show = async (): Promise<void> => {
		await view.update();
		document.body.append(view.element);
	};
	const press = (key: string, held: KeyboardEventInit = {}): boolean | undefined =>
		view.element
			.querySelector(".sj-results")
			?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held }));

	beforeEach(() => {
		active = { vault: "Notes", path: "Here.md", title: "Here", line: 12 };
		daemon.on("GET /v1/related", () => ({
			notes: [
				note({ path: "Near.md", title: "Near" }),
				note({ path: "Linked.md", title: "Linked", reasons: ["links here"] }),
				note({ path: "Missing.md", title: "Missing", unlinked: true }),
			],
		}));
		view = new RelatedView({
			client: () => client,
			answers: new RelatedAnswers(() => client),
			host,
			active: () => active,
			context: () => ({ now: new Date(), colours: new Map(), showProfile: false }),
		});
	});
	afterEach(() => view.dispose());

	it("come in groups: those that a link may be missing to, those that have one, the others", async () => {
		await show();
		expect(texts(view.element, ".sj-section, .sj-line-title")).toEqual([
			"Could be linked",
			"Missing",
			"Linked",
			"Linked",
			"Near in subject",
			"Near",
		]);
		expect(texts(view.element, "h2")).toEqual(["Here"]);
	});

	it("open and become links by key alone", async () => {
		await show();
		press("Enter");
		press("ArrowDown");
		press("Enter", { ctrlKey: true });
		press("Enter", { ctrlKey: true, altKey: true });
		press("Enter", { altKey: true });
		press("PageUp");
		press("Enter");
		expect(host.opened).toEqual([
			["Missing", "here"],
			["Linked", "tab"],
			["Linked", "split"],
			["Missing", "here"],
		]);
		expect(host.linked).toEqual(["Linked"]);
	});

	it("follow the section under the cursor only where that is wanted, and ask only when it changes", async () => {
		await show();
		await view.update();
		button(view.element, "Follow the section").click();
		await settled();
		active = { vault: "Notes", path: "Here.md", title: "Here", line: 40 };
		await view.update();
		const lines = daemon.asked.map(({ path }) => new URLSearchParams(path.split("?")[1]).get("line"));
		expect(lines).toEqual([null, "12", "40"]);
	});

	it.each([
		["no note is open", (): void => void (active = null), "No note is open"],
		[
			"the daemon is older",
			(): void => void daemon.on("GET /v1/related", () => new Refused(404, {})),
			"Not available",
		],
		["nothing comes near", (): void => void daemon.on("GET /v1/related", () => ({ notes: [] })), "Nothing related"],
		["the daemon is away", (): void => void (daemon.isAway = true), "Scrubjay is not running"],
	])("say so where %s", async (_, arrange, words) => {
		arrange();
		await show();
		expect(texts(view.element, ".sj-notice-title")).toEqual([words]);
	});
});

describe("the status", () => {
	let connection: Connection;
	let view: StatusView;
	let pairings: number;

	const start = async (): Promise<void> => {
		connection = new Connection(client);
		view = new StatusView({ client: () => client, connection, host, onConnect: () => (pairings += 1) });
		connection.start();
		await settled();
	};

	beforeEach(() => {
		pairings = 0;
		daemon.on("GET /v1/profiles", () => ({
			profiles: [
				{
					name: "home",
					colour: null,
					vaults: [{ name: "Notes", allow: ["Kitchen"], exclude: ["Kitchen/Private"] }],
					federate: true,
					encrypted: false,
				},
			],
		}));
	});
	afterEach(() => {
		connection.stop();
		view.dispose();
	});

	it("shows the progress, the folders, and the files that were left out", async () => {
		daemon.on("GET /v1/status", () =>
			status({
				state: "reading",
				done: 30,
				total: 120,
				eta_seconds: 61,
				failures: [{ vault: "Notes", path: "Broken.md", code: "encoding", reason: "This is not text." }],
			}),
		);
		await start();
		expect(texts(view.element, ".sj-card-state")).toEqual(["Reading: 30 of 120, about 61 s left"]);
		expect(view.element.querySelector("progress")?.value).toBe(30);
		expect(texts(view.element, ".sj-failures li")).toEqual(["Broken.mdThis is not text."]);
		expect(texts(view.element, "dd").at(-1)).toBe("Notes: Kitchen, without Kitchen/Private.");
	});

	it("leaves a button that is held where it is while notes are read", async () => {
		let done = 30;
		daemon.on("GET /v1/status", () => status({ state: "reading", done: (done += 1), total: 120 }));
		await start();
		const button = (): Element | null => view.element.querySelector(".sj-card button");
		const held = button();
		held?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
		connection.retry();
		await settled();
		expect(button()).toBe(held);
		document.dispatchEvent(new MouseEvent("mouseup"));
		await vi.waitFor(() => expect(view.element.querySelector("progress")?.value).toBe(done));
	});

	it.each([
		[undefined, []],
		["0.1.0", []],
		[
			"0.0.9",
			[
				"The plugin is version 0.0.9, Scrubjay 0.1.0. Update the plugin in Obsidian, or by scrubjay plugin install and the path of the vault.",
			],
		],
		[
			"0.10.0",
			["Scrubjay is version 0.1.0, older than the plugin, 0.10.0. scrubjay update says how to update it."],
		],
	])("says what to do where the plugin's version, %s, is not the daemon's", async (version, sentences) => {
		if (version !== undefined) host.version = version;
		daemon.on("GET /v1/status", () => status());
		await start();
		expect(texts(view.element, "[role=status]")).toEqual(sentences);
	});

	it("says why a profile is not read, and what else the daemon warns of", async () => {
		daemon.on("GET /v1/status", () => ({
			...status({ state: "failed", reason: "Notes can't be read." }),
			warnings: ["A rule was refused."],
		}));
		await start();
		expect(texts(view.element, ".sj-card-state")).toEqual(["A rule was refused.", "Failed: Notes can't be read."]);
	});

	it.each([
		[
			"is whole",
			[],
			false,
			["sj-muted", "Files beside notes are read in a process closed to the world by: Landlock and seccomp."],
		],
		[
			"lacks something",
			["resource-limits"],
			false,
			[
				"sj-card-state",
				"Files beside notes are read in a process closed to the world by: Landlock and seccomp. Missing on this computer: resource limits. A file that means harm could do more; `require_box = true` in settings.toml leaves files out.",
			],
		],
		[
			"must be whole and is not",
			["file-ban"],
			true,
			[
				"sj-card-state",
				"Missing on this computer to close the process that reads files beside notes: a ban on files and network. So no such file is read, as `require_box = true` demands.",
			],
		],
	])("says by what files are kept apart where the box %s", async (_, missing, required, [kind = "", words = ""]) => {
		daemon.on("GET /v1/status", () => ({
			...status(),
			box: { measures: ["landlock", "seccomp"], missing, required },
		}));
		await start();
		expect(texts(view.element, `p.${kind}`)).toContain(words);
	});

	it("says that another user has the port where the language model should answer", async () => {
		daemon.on("GET /v1/status", () => ({ ...status(), taken_port: { address: "127.0.0.1:11434", user: 1234 } }));
		await start();
		const words =
			"At 127.0.0.1:11434, where your language model should answer, a program of another user of this computer is listening (user id 1234). It is sent nothing, and would read what your notes say. Start your own model server at another port and name that: scrubjay llm use ADDRESS";
		expect(texts(view.element, "[role=status]")).toEqual([words]);
	});

	it("tells credentials that are done with from those that wait", async () => {
		daemon.on("GET /v1/status", () => status({ redactions: 5, redactions_done: 2 }));
		await start();
		expect(texts(view.element, "dd")[2]).toBe("5, 2 of them done");
	});

	it("names the notes on disk that are not in the index", async () => {
		const on_disk = onDisk({ notes: 5, indexed: 2, missing: 3, missing_paths: ["Heron.md", "Weir.md"] });
		daemon.on("GET /v1/status", () => status({ on_disk }));
		await start();
		expect(texts(view.element, ".sj-card-state")).toContain(
			"3 notes on disk not in the index: Heron.md, Weir.md and 1 more",
		);
	});

	it("names the notes of a team that say something else here than in the index", async () => {
		const differing = { differing: 2, differing_paths: ["Heron.md", "Weir.md"] };
		daemon.on("GET /v1/status", () => status({ on_disk: onDisk(differing) }));
		await start();
		expect(texts(view.element, ".sj-card-state")).toContain(
			"2 notes say something else here than in the index, where others wrote them later: Heron.md, Weir.md",
		);
	});

	it("has a profile indexed again", async () => {
		daemon.on("GET /v1/status", () => status()).on("POST /v1/index", () => ({}));
		await start();
		button(view.element, "Index again").click();
		await settled();
		expect(daemon.asked.find(({ path }) => path === "/v1/index")?.body).toEqual({ profile: "home" });
	});

	it.each([true, false])(
		"has a profile read by a model that reads its languages by one press: on this computer %s",
		async (is_here) => {
			const suggestion = {
				languages: ["de"],
				share: 0.75,
				model: "multilingual-e5-small",
				megabytes: 83,
				memory: 240,
				licence: "MIT",
				seconds: 200,
				is_here,
				command: "scrubjay model suggest --take home",
				text: "",
			};
			daemon
				.on("GET /v1/status", () => status({ suggestion }))
				.on("GET /v1/profiles", () => ({ profiles: [{ id: "p1", name: "home", vaults: [] }] }))
				.on("POST /v1/profiles/p1", () => ({}));
			await start();
			await settled();
			const [said = ""] = texts(view.element, ".sj-card-state").filter((words) => words.includes("German"));
			expect(said).toContain(
				"multilingual-e5-small reads them: 83 MB on disk, 240 MB of memory while it works (MIT). Reading all anew takes about 4 minutes here.",
			);
			expect(said.includes(suggestion.command)).toBe(!is_here);
			if (!is_here) return;
			button(view.element, "Have it read by this model").click();
			await settled();
			expect(daemon.asked.find(({ path }) => path === "/v1/profiles/p1")?.body).toEqual({
				model: suggestion.model,
			});
		},
	);

	it("says how to start a daemon that is away, and copies the command", async () => {
		daemon.isAway = true;
		await start();
		expect(texts(view.element, ".sj-notice-title")).toEqual(["Scrubjay is not running"]);
		button(view.element, "Copy the command").click();
		await settled();
		expect([host.copied, host.said]).toEqual([["scrubjay start"], ["The command was copied"]]);
		daemon.isAway = false;
		daemon.on("GET /v1/status", () => status());
		button(view.element, "Try now").click();
		await settled();
		expect(texts(view.element, "h3")).toEqual(["home"]);
	});

	it("offers to pair while the daemon does not know this client", async () => {
		daemon.on("GET /v1/status", () => new Refused(401, {}));
		await start();
		button(view.element, "Pair").click();
		expect(pairings).toBe(1);
	});
});

describe("the clients", () => {
	const known: ClientReply = {
		id: "c1",
		name: "Obsidian · Notes",
		scopes: ["search"],
		profiles: ["home"],
		all_profiles: false,
		created: "2026-01-01T00:00:00Z",
		last_used: null,
		vault: "Notes",
		own: false,
	};
	const asking: PairingReply = {
		id: "p1",
		client: "An agent",
		code: "ABC234",
		vault: null,
		scopes: ["search"],
		profiles: [],
	};

	const show = async (): Promise<ClientsView> => {
		const view = new ClientsView({ client: () => client, host });
		await view.load();
		return view;
	};
	const sent = (method: string): [string, unknown][] =>
		daemon.asked.filter((request) => request.method === method).map(({ path, body }) => [path, body]);

	beforeEach(() => {
		daemon
			.on("GET /v1/clients", () => ({
				clients: [known, { ...known, id: "own", name: "cli", own: true, all_profiles: true }],
			}))
			.on("GET /v1/pairing", () => ({ pairings: [asking] }))
			.on("GET /v1/profiles", () => ({
				profiles: [{ name: "home", colour: null, vaults: [], federate: true, encrypted: false }],
			}))
			.on("GET /v1/sessions", () => new Refused(403, { status: 403 }))
			.on("POST /v1/pairing/p1", () => ({}))
			.on("DELETE /v1/clients/c1", () => ({}));
	});

	it("are let in by a command in the terminal, which is shown with the code, and not by the page", async () => {
		const { element } = await show();
		expect(texts(element, ".sj-code")).toEqual(["ABC234"]);
		expect(texts(element, ".sj-card-asking code")).toEqual(["scrubjay clients approve ABC234"]);
		expect(texts(element, ".sj-card-asking button")).toEqual(["Refuse"]);
	});

	it("are refused", async () => {
		button((await show()).element, "Refuse").click();
		await settled();
		expect(sent("POST")).toEqual([["/v1/pairing/p1", { approve: false }]]);
	});

	it("are revoked, but not one's own command line", async () => {
		const { element } = await show();
		expect(texts(element, "h3")).toEqual([
			"An agent would like to search",
			"Obsidian · Notes",
			"Your own command line",
		]);
		expect(texts(element, ".sj-button-danger")).toEqual(["Revoke"]);
		button(element, "Revoke").click();
		await settled();
		expect(sent("DELETE")).toEqual([["/v1/clients/c1", undefined]]);
	});

	it("have no list of browsers where the daemon does not give one", async () => {
		expect(texts((await show()).element, "h2")).toEqual(["Clients"]);
	});

	it("have the browsers on the search page below them, each of which can be closed", async () => {
		vi.setSystemTime("2026-01-08T12:00:00Z");
		const one: PageSession = {
			id: "0a1b2c3d",
			client: "cli",
			opened: "2026-01-05T12:00:00Z",
			last_used: "2026-01-08T09:00:00Z",
			this: false,
		};
		daemon
			.on("GET /v1/sessions", () => ({
				sessions: [
					{ ...one, client: "Claude" },
					{ ...one, id: "ffffffff", this: true },
				],
			}))
			.on("DELETE /v1/sessions/0a1b2c3d", () => ({}));
		const { element } = await show();
		expect(texts(element, "h2")).toEqual(["Clients", "Browsers on the search page"]);
		expect(texts(element, "h3").slice(-2)).toEqual(["Browser 0a1b2c3d", "This browser"]);
		expect(texts(element, ".sj-muted").slice(-2)).toEqual([
			"As Claude · let in last Monday · last used 3 hours ago",
			"Let in last Monday · last used 3 hours ago",
		]);
		button(element, "Close").click();
		await settled();
		expect(sent("DELETE")).toEqual([["/v1/sessions/0a1b2c3d", undefined]]);
	});
});

describe("remembered searches", () => {
	const search = (given: Partial<SearchEventReply>): SearchEventReply => ({
		profile: "notes",
		at: new Date().toISOString(),
		query: "heron",
		mode: "hybrid",
		results: 3,
		took_ms: 9,
		opened: [],
		source: "page",
		client: "command line",
		relevance: "high",
		missed: [],
		...given,
	});
	const HIDDEN: HiddenNoteReply = {
		profile: "notes",
		vault: "Notes",
		path: "Birds/Egret.md",
		query: "heron",
		asked: "ab",
		at: "2026-11-01T00:00:00Z",
	};
	let asked: string[];
	let host: RecordingHost;
	let view: SearchesView;

	beforeEach(async () => {
		asked = [];
		host = new RecordingHost();
		daemon.on("GET /v1/history", () => ({
			events: [
				search({}),
				search({ source: "agent", client: "Claude", missed: ["low", "reworded"] }),
				search({ source: "panel", client: "Obsidian · Notes", opened: ["Birds/Heron.md"] }),
				search({ source: "", client: "" }),
			],
		}));
		daemon.on("GET /v1/hidden", () => ({ notes: [HIDDEN] }));
		view = new SearchesView({ host, client: () => client, onSearch: (query) => asked.push(query) });
		await view.load();
	});

	it("say who made them, what was opened and why they seem to have missed", () => {
		expect(texts(view.element, ".sj-finding .sj-muted")).toEqual([
			"page · notes · 3 results · just now",
			"Claude · notes · 3 results · nothing fits well and asked again in other words · just now",
			"Obsidian · Notes · notes · 3 results · opened Heron · just now",
			"notes · 3 results · just now",
		]);
	});

	it("are one line each, however many profiles remember them, with the words that any of them knows", async () => {
		const at = "2026-11-01T00:00:00Z";
		daemon.on("GET /v1/history", () => ({
			events: [
				search({ at, profile: "home", query: "… weir", results: 1, opened: ["Weir.md"] }),
				search({ at, profile: "work", query: "heron weir", results: 2 }),
			],
		}));
		await view.load();
		expect(texts(view.element, ".sj-finding > span:first-child")).toEqual(["heron weir"]);
		expect(texts(view.element, ".sj-finding .sj-muted")[0]).toContain("home and work · 3 results · opened Weir");
	});

	it("have below them what is hidden, which comes back by a click", async () => {
		expect(texts(view.element, ".sj-hidden-note")[0]).toContain("left out of “heron”");
		let asked = "";
		daemon.on("DELETE /v1/hidden", ({ path }) => ((asked = path), {}));
		daemon.on("GET /v1/hidden", () => ({ notes: [] }));
		button(view.element, "Show again").click();
		await settled();
		expect(asked).toBe("/v1/hidden?profile=notes&vault=Notes&path=Birds%2FEgret.md&asked=ab");
		expect(texts(view.element, ".sj-hidden-note")).toEqual([]);
	});

	it("let go of what was opened, and say how many that was", async () => {
		daemon.on("DELETE /v1/opened", () => ({ forgotten: 2 }));
		button(view.element, "Forget what I opened").click();
		await settled();
		expect(host.said).toEqual(["2 opened notes forgotten"]);
	});

	it("are made again by a click", () => {
		view.element.querySelector<HTMLButtonElement>(".sj-finding")?.click();
		expect(asked).toEqual(["heron"]);
	});

	it("can be narrowed to those that seem to have missed", async () => {
		button(view.element, "Only unsuccessful searches").click();
		await settled();
		expect(daemon.asked.map(({ path }) => path)).toContain("/v1/history?missed=true");
		expect(button(view.element, "Only unsuccessful searches").getAttribute("aria-pressed")).toBe("true");
	});

	it("are not offered where the token may not see them", async () => {
		daemon.on("GET /v1/history", () => new Refused(403, {}));
		await view.load();
		expect(texts(view.element, ".sj-finding")).toEqual([]);
	});
});
