import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import type { Credential, DecideAsk } from "../../src/api/wire";
import { CredentialsView } from "../../src/panel/credentials/credentialsView";
import { h } from "../../src/panel/shared/dom";
import { FakeDaemon, Refused } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

const at = (path: string, line: number, change: Partial<Credential> = {}): Credential => ({
	profile: "home",
	vault: "Notes",
	path,
	line,
	column: 1,
	rule: "some-rule",
	about: "Some token",
	standing: "open",
	place: "",
	...change,
});

let daemon: FakeDaemon;
let host: RecordingHost;
let view: CredentialsView;
let all: Credential[];

/** A daemon that remembers decisions. */
function answering(): void {
	daemon.on("GET /v1/credentials", () => ({
		credentials: all.filter(({ standing }) => standing === "open"),
		decided: all.filter(({ standing }) => standing !== "open"),
		may_decide: true,
	}));
	daemon.on("POST /v1/credentials", ({ body }) => {
		const { path, line, column, standing } = body as DecideAsk;
		all = all.map((each) =>
			each.path === path && each.line === line && each.column === column ? { ...each, standing } : each,
		);
		return { credentials: [] };
	});
}

const texts = (selector: string): string[] =>
	[...view.element.querySelectorAll(selector)].map((element) => element.textContent ?? "");
const settled = (): Promise<unknown> => new Promise((resolve) => window.setTimeout(resolve));
const decisions = (): unknown[] =>
	daemon.asked.filter(({ method, path }) => method === "POST" && path === "/v1/credentials").map(({ body }) => body);
const current = (): string => texts('.sj-finding[aria-current="true"]').join();
const button = (name: string): HTMLElement => {
	const found = [...view.element.querySelectorAll<HTMLElement>("button")].find(
		(each) => (each.getAttribute("aria-label") ?? each.textContent) === name,
	);
	if (!found) throw new Error(`There is no button ${name}.`);
	return found;
};
const press = async (key: string, held: KeyboardEventInit = {}): Promise<void> => {
	const place = document.activeElement?.closest(".sj-credentials")
		? document.activeElement
		: view.element.querySelector('[aria-current="true"]');
	place?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held }));
	await settled();
};

beforeEach(async () => {
	daemon = new FakeDaemon();
	host = new RecordingHost();
	all = [at("Keys.md", 9), at("Keys.md", 2), at("Work/Bank.md", 4, { rule: "pin", about: "A PIN" })];
	answering();
	view = new CredentialsView({ client: () => new Client(daemon), host, isMine: ({ vault }) => vault === "Notes" });
	document.body.append(view.element);
	await view.load();
});
afterEach(() => {
	document.body.replaceChildren();
	vi.restoreAllMocks();
});

describe("the credential report", () => {
	it("does not show an older reply that comes after a newer one", async () => {
		const waiting: (() => void)[] = [];
		let found = [at("Keys.md", 9)];
		daemon.on("GET /v1/credentials", () => {
			const reply = { credentials: found, decided: [], may_decide: false };
			return new Promise((answer) => waiting.push(() => answer(reply)));
		});
		const older = view.load();
		found = [at("Keys.md", 9), at("Keys.md", 2)];
		const newer = view.load();
		await vi.waitFor(() => expect(waiting).toHaveLength(2));
		waiting[1]?.();
		await newer;
		waiting[0]?.();
		await older;
		expect(texts("h2")).toEqual(["2 credentials in 1 note"]);
	});

	it("tells this vault's alone, by note and line, and opens the line", async () => {
		all = [at("Keys.md", 9), at("Keys.md", 2), at("Keys.md", 3, { vault: "Other" })];
		await view.load();
		expect(texts("h2")).toEqual(["2 credentials in 1 note"]);
		expect(texts(".sj-finding")).toEqual(["line 2Some token", "line 9Some token"]);
		view.element.querySelectorAll<HTMLElement>(".sj-finding")[1]?.click();
		expect([host.opened, host.lines]).toEqual([[["Keys", "here"]], [9]]);
	});

	it.each([
		[
			"nothing was found",
			(): object => ({ credentials: [], decided: [], may_decide: true, unanswered: [] }),
			"No credentials found",
		],
		[
			"a profile is closed",
			(): object => ({
				credentials: [],
				decided: [],
				may_decide: true,
				unanswered: [{ profile: "work", reason: "It is locked." }],
			}),
			"Not all is known",
		],
		["this client may not see it", (): object => new Refused(403, {}), "Not available"],
		[
			"the daemon stumbles",
			(): object => new Refused(500, { detail: "The index cannot be read." }),
			"That did not work",
		],
	])("says so where %s", async (_, answer, words) => {
		daemon.on("GET /v1/credentials", answer);
		await view.load();
		expect(texts(".sj-notice-title")).toEqual([words]);
	});
});

describe("working through it", () => {
	it("says what is allowed here with what takes just that back, once", async () => {
		await press("a");
		await settled();
		expect(host.said).toEqual(["Allowed here. 2 credentials left"]);
		const undo = host.offered;
		await press("d");
		await settled();
		undo?.act();
		await vi.waitFor(() =>
			expect(all.map(({ line, standing }) => [line, standing]).slice(0, 2)).toEqual([
				[9, "done"],
				[2, "open"],
			]),
		);
		undo?.act();
		await settled();
		expect(all[0]?.standing).toBe("done");
		await press("u");
		await vi.waitFor(() => expect(all[0]?.standing).toBe("open"));
	});

	it("goes on to the next finding after each decision, down to none", async () => {
		const counts: string[] = [];
		for (const key of ["d", "A", "d"]) {
			await press(key);
			counts.push(texts("h2").join());
		}
		expect(counts).toEqual(["2 credentials in 2 notes", "1 credential in 1 note", ""]);
		expect([texts(".sj-notice-title"), document.activeElement?.className]).toEqual([["All done"], "sj-notice"]);
		expect(texts(".sj-notice-detail")).toEqual([
			"You have decided about 3 credentials. New ones will be hidden and listed here.",
		]);
		expect(decisions()).toEqual([
			{ profile: "home", vault: "Notes", path: "Keys.md", line: 2, column: 1, standing: "done" },
			{ profile: "home", vault: "Notes", path: "Keys.md", line: 9, column: 1, standing: "allowed" },
			{ profile: "home", vault: "Notes", path: "Work/Bank.md", line: 4, column: 1, standing: "done" },
		]);
	});

	it("moves with the arrows, and keeps to the ends", async () => {
		const seen: string[] = [];
		for (const key of ["ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown"]) {
			await press(key);
			seen.push(current());
		}
		expect(seen).toEqual(["line 2Some token", "line 9Some token", "line 4A PIN", "line 4A PIN"]);
		expect(document.activeElement?.textContent).toBe("line 4A PIN");
	});

	it("decides nothing by a key that is held down, nor by letters away from the finding", async () => {
		for (const key of ["a", "e", "d", "u"]) await press(key, { repeat: true });
		view.element.querySelector<HTMLElement>(".sj-chip")?.focus();
		for (const key of ["a", "e", "d"]) await press(key);
		expect(decisions()).toEqual([]);
	});

	it("takes the last decision back wherever the focus is in the pane", async () => {
		await press("d");
		const chip = view.element.querySelector<HTMLElement>(".sj-chip");
		chip?.focus();
		await press("u");
		expect(texts("h2")).toEqual(["3 credentials in 2 notes"]);
	});

	it("takes a run of decisions back at once", async () => {
		for (const key of ["d", "a", "d"]) await press(key);
		await vi.waitFor(() => expect(decisions()).toHaveLength(3));
		await press("U", { shiftKey: true });
		await vi.waitFor(() => expect(texts("h2")).toEqual(["3 credentials in 2 notes"]));
		expect(decisions().map((each) => (each as DecideAsk).standing)).toEqual([
			...["done", "allowed", "done"],
			...["open", "open", "open"],
		]);
		await press("u");
		expect(decisions()).toHaveLength(6);
	});

	it("takes back later what could not be taken back of a run", async () => {
		for (const key of ["d", "d"]) await press(key);
		await vi.waitFor(() => expect(decisions()).toHaveLength(2));
		daemon.on("POST /v1/credentials", () => new Refused(500, {}));
		await press("U", { shiftKey: true });
		await vi.waitFor(() => expect(decisions()).toHaveLength(3));
		answering();
		await press("u");
		await vi.waitFor(() => expect(texts("h2")).toEqual(["3 credentials in 2 notes"]));
	});

	it("takes a decision back whose reply has not come yet, though a report shows it already", async () => {
		const waiting: (() => void)[] = [];
		const older = view.load();
		daemon.on("POST /v1/credentials", ({ body }) => {
			const { line, standing } = body as DecideAsk;
			all = all.map((each) => (each.line === line ? { ...each, standing } : each));
			return new Promise((answer) => waiting.push(() => answer({ credentials: [] })));
		});
		await press("d");
		await older;
		await view.load();
		expect(texts(".sj-progress-line")).toEqual(["1 of 3 done"]);
		await press("u");
		waiting[0]?.();
		await vi.waitFor(() => expect(waiting).toHaveLength(2));
		waiting[1]?.();
		await vi.waitFor(() => expect(texts("h2")).toEqual(["3 credentials in 2 notes"]));
		expect(decisions().map((each) => (each as DecideAsk).standing)).toEqual(["done", "open"]);
	});

	it("takes no decision back that was refused", async () => {
		daemon.on("POST /v1/credentials", () => new Refused(403, { detail: "No." }));
		await press("d");
		answering();
		await press("u");
		expect(decisions()).toHaveLength(1);
	});

	it("keeps the focus in the pane where an error takes the place of the list, and where the list is back", async () => {
		view.element.querySelector<HTMLElement>(".sj-finding")?.focus();
		daemon.on("GET /v1/credentials", () => new Refused(500, {}));
		await view.load();
		expect(view.element.contains(document.activeElement)).toBe(true);
		answering();
		await view.load();
		expect(document.activeElement?.textContent).toBe("line 2Some token");
	});

	it("leaves the keys of the host alone", async () => {
		await press("d", { ctrlKey: true });
		await press("a", { metaKey: true });
		expect(decisions()).toEqual([]);
	});

	it("shows one kind or one folder, and all again when none of it is left", async () => {
		expect(texts(".sj-chip")).toEqual(["Some token 2", "A PIN 1"]);
		button("A PIN 1").click();
		expect(texts(".sj-finding")).toEqual(["line 4A PIN"]);
		expect(button("A PIN 1").getAttribute("aria-pressed")).toBe("true");
		await press("d");
		expect(texts(".sj-finding")).toEqual(["line 2Some token", "line 9Some token"]);
	});

	it("offers the folders where there are several", async () => {
		all = [at("Work/a.md", 1), at("Work/Deep/b.md", 1), at("Home/c.md", 1)];
		await view.load();
		button("Work 2").click();
		expect(texts("h3")).toEqual(["a", "b"]);
		button("Work 2").click();
		expect(texts("h3")).toHaveLength(3);
	});

	it("asks before it allows in all notes, and lets go by Escape, a button or another decision", async () => {
		const asks = (): boolean => view.element.querySelector(".sj-asked") !== null;
		await press("e");
		expect([asks(), document.activeElement?.textContent]).toEqual([true, "Allow everywhere"]);
		await press("Escape");
		expect([asks(), document.activeElement?.textContent]).toEqual([false, "line 2Some token"]);
		button("Allow everywhere…: line 9, Some token").click();
		expect(current()).toBe("line 9Some token");
		button("Cancel").click();
		expect([asks(), decisions()]).toEqual([false, []]);
		await press("e");
		await press("d");
		expect([asks(), all.map(({ standing }) => standing)]).toEqual([false, ["done", "open", "open"]]);
	});

	it("is done with a whole note by a key or its button, and takes that back at once", async () => {
		await press("n");
		expect([texts("h2"), current()]).toEqual([["1 credential in 1 note"], "line 4A PIN"]);
		await press("u");
		expect(texts("h2")).toEqual(["3 credentials in 2 notes"]);
		button("Done for this note: Keys").click();
		await settled();
		expect(decisions().map((each) => (each as DecideAsk).line)).toEqual([2, 9, 2, 9, 2, 9]);
		expect(texts('[aria-label^="Done for this note"]')).toEqual([]);
	});

	it("begins in the list when it is entered, unless the user has gone on meanwhile", async () => {
		await view.enter();
		expect(document.activeElement?.textContent).toBe("line 2Some token");
		const elsewhere = document.body.appendChild(h("input"));
		(document.activeElement as HTMLElement).blur();
		const entering = view.enter();
		elsewhere.focus();
		await entering;
		expect(document.activeElement).toBe(elsewhere);
	});

	it("calls a vendor's token by its name and everything else by its kind", async () => {
		all = [
			at("a.md", 1, {
				rule: "named-password",
				about: "Password behind its name or beside its user, in one of some 40 languages",
			}),
			at("a.md", 2, { rule: "private-key", about: "Private key in PEM armour" }),
			at("a.md", 3, { rule: "slack-token", about: "Slack token: bot, user or app" }),
			at("a.md", 4, { rule: "of-my-own", about: "What my own rule looks for" }),
		];
		await view.load();
		expect(texts(".sj-finding span:last-child")).toEqual(["Password", "Private key", "Slack token", "Secret"]);
	});

	it("allows in all notes, says what was decided, and takes it back", async () => {
		button("Allow everywhere…: line 9, Some token").click();
		button("Allow everywhere: line 9, Some token").click();
		await settled();
		expect(texts("summary")).toEqual(["1 allowed or done"]);
		expect(texts(".sj-path")).toEqual(["Keys.md, line 9: Some token, allowed in all notes"]);
		button("Undo: line 9, Some token").click();
		await settled();
		expect(texts("h2")).toEqual(["3 credentials in 2 notes"]);
		expect(texts("summary")).toEqual([]);
	});

	it("lists what comes in pages as one report", async () => {
		daemon.on("GET /v1/credentials", ({ path }) => {
			const offset = Number(new URLSearchParams(path.split("?")[1]).get("offset"));
			const next = offset + 1 < all.length ? offset + 1 : null;
			return { credentials: [all[offset]], decided: [], may_decide: true, next_offset: next };
		});
		await view.load();
		expect(texts("h2")).toEqual(["3 credentials in 2 notes"]);
	});

	it("offers no decision to a client that may not decide", async () => {
		daemon.on("GET /v1/credentials", () => ({ credentials: all, decided: [], may_decide: false }));
		await view.load();
		await press("d");
		expect(decisions()).toEqual([]);
		expect(texts(".sj-button")).toEqual([]);
		expect(texts("p").at(-1)).toContain("scrubjay open");
	});

	it("stays where it is when the daemon refuses, and says why", async () => {
		daemon.on("POST /v1/credentials", () => new Refused(403, { detail: "This client lacks the scope `manage`." }));
		await press("d");
		expect(host.said).toEqual(["This client lacks the scope `manage`."]);
		expect([texts("h2"), current()]).toEqual([["3 credentials in 2 notes"], "line 2Some token"]);
	});

	it("allows everywhere by a key, says how many are left, and takes the last decisions back by another", async () => {
		await press("e");
		button("Allow everywhere: line 2, Some token").click();
		await settled();
		await press("d");
		await settled();
		expect([texts("h2"), texts(".sj-progress-line"), texts(".sj-said")]).toEqual([
			["1 credential in 1 note"],
			["2 of 3 done"],
			["Done. 1 credential left"],
		]);
		expect(all.map(({ standing }) => standing)).toEqual(["done", "everywhere", "open"]);
		await press("u");
		await press("u");
		await press("u");
		expect([texts("h2"), all.every(({ standing }) => standing === "open")]).toEqual([
			["3 credentials in 2 notes"],
			true,
		]);
		expect(current()).toBe("line 2Some token");
	});

	it("keeps the focus on the filter that was chosen", async () => {
		button("A PIN 1").focus();
		button("A PIN 1").click();
		expect(document.activeElement).toBe(button("A PIN 1"));
	});

	it("offers to ask for leave to decide where the host can", async () => {
		daemon.on("GET /v1/credentials", () => ({ credentials: all, decided: [], may_decide: false }));
		const manage = vi.fn();
		Object.assign(host, { manage });
		await view.load();
		button("Decide in Obsidian").click();
		expect(manage).toHaveBeenCalledOnce();
	});

	it("works through many findings by keys alone", async () => {
		all = Array.from({ length: 40 }, (_, index) => at(`${index % 20}.md`, index + 1));
		await view.load();
		for (let pressed = 0; pressed < 40; pressed += 1) await press(pressed % 3 === 0 ? "a" : "d");
		expect(all.some(({ standing }) => standing === "open")).toBe(false);
	});
});

describe("a report that comes while one works through it", () => {
	/** A finding of another note at the same line, so that its buttons are called the same. */
	const later = at("Alike.md", 9);

	it.each([
		["a decision", (): HTMLElement => button("Allow everywhere…: line 9, Some token")],
		[
			"a finding",
			(): HTMLElement => [...view.element.querySelectorAll<HTMLElement>(".sj-finding")][2] as HTMLElement,
		],
		["a filter", (): HTMLElement => button("A PIN 1")],
		["what was decided", (): HTMLElement => view.element.querySelector("summary") as HTMLElement],
	])("leaves the focus on %s, so that no key is lost", async (_, element) => {
		all = [...all, at("Done.md", 1, { standing: "done" })];
		await view.load();
		const focused = element();
		focused.focus();
		const card = focused.closest("section")?.getAttribute("aria-label");
		all = [later, ...all];
		await view.load();
		expect(document.activeElement).not.toBe(focused);
		expect([
			document.activeElement?.textContent,
			document.activeElement?.closest("section")?.getAttribute("aria-label"),
		]).toEqual([focused.textContent, card]);
	});

	it("draws a hundred of thousands around the one that keys are about, and leads on to the others", async () => {
		all = Array.from({ length: 2_500 }, (_, line) =>
			at(`Keys ${String(Math.floor(line / 70)).padStart(2, "0")}.md`, line),
		);
		all = [...all, ...Array.from({ length: 300 }, (_, line) => at("Seen.md", line, { standing: "done" }))];
		await view.load();
		const lines = (): string[] => texts(".sj-card .sj-line-number");
		expect([lines().length, lines()[0], lines().at(-1)]).toEqual([100, "line 0", "line 99"]);
		expect(texts(".sj-failures li")).toHaveLength(100);
		expect(texts("h2")).toEqual(["2,500 credentials in 36 notes"]);
		button("2,400 more").click();
		expect([lines().length, lines()[0], current()]).toEqual([100, "line 100", "line 100Some token"]);
		expect(document.activeElement?.textContent).toBe(current());
		await press("ArrowUp");
		expect([lines().at(-1), current()]).toEqual(["line 99", "line 99Some token"]);
		await press("ArrowDown");
		button("100 more").click();
		expect(current()).toBe("line 99Some token");
		await press("d");
		expect([decisions().length, current()]).toEqual([1, "line 100Some token"]);
		button("201 more").click();
		expect(texts(".sj-failures li")).toHaveLength(301);
	});

	it("changes nothing where nothing has changed", async () => {
		const pressed = button("Allow everywhere…: line 9, Some token");
		await view.load();
		expect(button("Allow everywhere…: line 9, Some token")).toBe(pressed);
	});

	it("is drawn again where an error had taken its place", async () => {
		daemon.on("GET /v1/credentials", () => new Refused(500, {}));
		await view.load();
		expect(texts("h2")).toEqual([]);
		answering();
		await view.load();
		expect(texts("h2")).toEqual(["3 credentials in 2 notes"]);
	});

	it("takes the focus to a finding where what had it is gone", async () => {
		daemon.on("GET /v1/credentials", () => ({ credentials: all, decided: [], may_decide: false }));
		Object.assign(host, { manage: vi.fn() });
		await view.load();
		button("Decide in Obsidian").focus();
		answering();
		await view.load();
		expect(document.activeElement?.textContent).toBe("line 2Some token");
	});

	it("leaves the focus alone where it is not in the list", async () => {
		all = [later, ...all];
		await view.load();
		expect(document.activeElement).toBe(document.body);
	});

	it("is what a decision counts by, though another had asked for it meanwhile", async () => {
		const waiting: (() => void)[] = [];
		daemon.on("GET /v1/credentials", () => {
			const reply = {
				credentials: all.filter(({ standing }) => standing === "open"),
				decided: [],
				may_decide: true,
			};
			return new Promise((answer) => waiting.push(() => answer(reply)));
		});
		await press("d");
		void view.load();
		await vi.waitFor(() => expect(waiting).toHaveLength(2));
		waiting[0]?.();
		await settled();
		waiting[1]?.();
		await vi.waitFor(() => expect(texts(".sj-said")).toEqual(["Done. 2 credentials left"]));
	});
});

describe("what stands alike in other notes", () => {
	/** A daemon that reads the other notes again in the background, and has read them at the n-th look at its state. */
	function reading(looks: number, standing: Credential["standing"]): void {
		let left = looks;
		daemon.on("GET /v1/status", () => {
			left -= 1;
			if (left <= 0) all = all.map((each) => (each.rule === "some-rule" ? { ...each, standing } : each));
			return {
				profiles: [
					{ name: "home", state: left > 0 ? "reading" : "embedding" },
					{ name: "other", state: "reading" },
				],
			};
		});
	}

	it("is listed once it has been read again", async () => {
		reading(3, "everywhere");
		await press("e");
		button("Allow everywhere: line 2, Some token").click();
		await settled();
		expect(texts("h2")).toEqual(["2 credentials in 2 notes"]);
		await vi.waitFor(() => expect(texts("h2")).toEqual(["1 credential in 1 note"]));
		expect(texts("summary")).toEqual(["2 allowed or done"]);
	});

	it("is listed again once that is taken back", async () => {
		all = all.map((each) => (each.rule === "some-rule" ? { ...each, standing: "everywhere" } : each));
		await view.load();
		reading(3, "open");
		button("Undo: line 2, Some token").click();
		await settled();
		expect(texts("h2")).toEqual(["2 credentials in 2 notes"]);
		await vi.waitFor(() => expect(texts("h2")).toEqual(["3 credentials in 2 notes"]));
	});
});

describe("the lines around a finding", () => {
	const passages = [
		{
			id: "a",
			headings: ["Network", "Router"],
			line: 7,
			text: "Router.\nAsk Ann.\nThe password is [REDACTED:password].\nWrite it down nowhere.\nEver.",
		},
	];

	it("are shown as they are indexed, for the finding that keys are about, and lead to its heading", async () => {
		daemon.on("POST /v1/read", () => ({
			notes: [{ vault: "Notes", path: "Keys.md", passages }],
			missing: [],
			unread: [],
		}));
		const opened = vi.spyOn(host, "open");
		await press("ArrowDown");
		await press("ArrowUp");
		await press("ArrowDown");
		await vi.waitFor(() =>
			expect(texts(".sj-finding-lines:not([hidden])")).toEqual([
				"Ask Ann.\nThe password is [REDACTED:password].\nWrite it down nowhere.",
			]),
		);
		expect(texts(".sj-finding-lines mark")).toEqual(["[REDACTED:password]"]);
		view.element.querySelector<HTMLElement>('.sj-finding[aria-current="true"]')?.click();
		expect(opened.mock.calls[0]?.[0]).toMatchObject({ line: 9, headings: ["Network", "Router"] });
	});
});
