import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import { SearchView } from "../../src/panel/search/searchView";
import { DEFAULT_SETTINGS, type PanelSettings } from "../../src/panel/settings";
import type {
	HiddenNoteReply,
	HideAsk,
	Notice,
	ProfileReply,
	ProfileStatus,
	QueryWarning,
	SearchAsk,
} from "../../src/api/wire";
import { Connection } from "../../src/panel/status/connection";
import { RecordingHost } from "../helpers/recordingHost";
import { FakeDaemon, note, Refused, response, result, status } from "../helpers/fakeDaemon";

/** What a status tells of the one profile there is. */
type Told = Partial<Omit<ProfileStatus, "progress">> & { progress?: Partial<ProfileStatus["progress"]> };

const BREAD = result();
const WORK = result({
	id: "b".repeat(12),
	profile: "work",
	vault: "Work",
	path: "Runbook.md",
	title: "Runbook",
	highlights: [],
	redactions: 2,
	also_in: [{ profile: "home", vault: "Notes", path: "x.md" }],
});

const PROFILE: ProfileReply = {
	id: "a1",
	name: "home",
	colour: "#2a66b2",
	vaults: [],
	federate: true,
	encrypted: false,
	model: "bundled",
	locked: false,
	files: {},
	protection: "none",
	filter_groups: [],
	server: "",
	folders_revision: "",
};

describe("the search view", () => {
	let daemon: FakeDaemon;
	let host: RecordingHost;
	let view: SearchView;
	let done: number;
	let left: number;
	let settings: PanelSettings;

	const input = (): HTMLInputElement => view.element.querySelector(".sj-input") as HTMLInputElement;
	const titles = (): (string | null)[] =>
		[...view.element.querySelectorAll(".sj-title")].map((title) => title.textContent);
	const text = (selector: string): string => view.element.querySelector(selector)?.textContent ?? "";
	const type = async (query: string): Promise<void> => {
		input().value = query;
		input().dispatchEvent(new Event("input"));
		await vi.advanceTimersByTimeAsync(300);
	};
	const press = async (key: string, held: KeyboardEventInit = {}): Promise<void> => {
		input().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held }));
		await vi.advanceTimersByTimeAsync(0);
	};

	beforeEach(async () => {
		vi.useFakeTimers();
		done = left = 0;
		settings = DEFAULT_SETTINGS;
		host = new RecordingHost();
		daemon = new FakeDaemon()
			.on("POST /v1/search", () => response([BREAD, WORK]))
			.on("GET /v1/recent", () => ({ notes: [note()] }))
			.on("GET /v1/suggest", () => ({
				suggestions: [
					{ value: "baking", notes: 4 },
					{ value: "two words", notes: 1 },
				],
			}));
		view = new SearchView({
			client: new Client(daemon),
			host,
			settings: () => settings,
			onLeave: () => (left += 1),
			onDone: () => (done += 1),
		});
		document.body.append(view.element);
		view.setProfiles([PROFILE, { ...PROFILE, id: "b2", name: "work", colour: "#7a3e9d" }]);
		await vi.advanceTimersByTimeAsync(0);
	});
	afterEach(() => {
		view.dispose();
		view.element.remove();
		vi.useRealTimers();
	});

	it("shows nothing to narrow a search down by as soon as it is known that there is no profile, until there is one", async () => {
		const narrows = (): boolean => !view.element.classList.contains("has-no-profile");
		const none = { status: 409, code: "no-profiles", detail: "There is no profile yet." };
		daemon.on("GET /v1/recent", () => new Refused(409, none));
		view.refresh();
		await vi.advanceTimersByTimeAsync(0);
		expect([narrows(), text(".sj-notice-title")]).toEqual([false, "Nothing to search yet"]);
		daemon.on("GET /v1/recent", () => ({ notes: [note()] }));
		view.setProfiles([PROFILE]);
		await vi.advanceTimersByTimeAsync(0);
		expect([narrows(), text(".sj-line")]).toEqual([true, expect.stringContaining("Garden")]);
	});

	it.each<[what: string, selector: string, query: string, then: () => void]>([
		["what narrows a search", ".sj-facet", "bread", () => void type("bread d")],
		["a recent note", ".sj-line", "", () => view.refresh()],
		["the choice of profiles", ".sj-scope-words :last-child", "bread", () => view.setProfiles([PROFILE])],
	])(
		"keeps %s under a press, and shows what came meanwhile once it was released",
		async (_, selector, query, then) => {
			const facets = [{ name: "tag", values: [{ value: "baking", count: 1 }] }];
			let notes = 1;
			daemon.on("POST /v1/search", () =>
				response([{ ...BREAD, title: `Bread ${notes}` }], { total_notes: 9, facets }),
			);
			daemon.on("GET /v1/recent", () => ({ notes: [note({ title: `Garden ${notes}` })] }));
			await type(query);
			view.refresh();
			await vi.advanceTimersByTimeAsync(0);
			const held = view.element.querySelector(selector);
			input().focus();
			held?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
			input().blur(); // a press takes the focus
			notes = 2;
			then();
			await vi.advanceTimersByTimeAsync(1_000);
			const isThere = held?.isConnected;
			document.dispatchEvent(new MouseEvent("mouseup"));
			await vi.advanceTimersByTimeAsync(0);
			expect([isThere, held?.isConnected]).toEqual([true, false]);
		},
	);

	describe("a result that nobody wants there", () => {
		const hidden = (query: string): HiddenNoteReply => ({
			profile: "home",
			vault: "Notes",
			path: BREAD.path,
			query,
			asked: query === "" ? "" : "ab",
			at: "2026-11-01T00:00:00Z",
		});
		let told: unknown[];

		beforeEach(async () => {
			told = [];
			daemon.on("POST /v1/hidden", ({ body }) => {
				told.push(body);
				return hidden((body as HideAsk).query ?? "");
			});
			await type("bread");
		});

		it.each<[key: string, held: KeyboardEventInit, query: string]>([
			["Delete", { shiftKey: true }, "bread"],
			["Delete", { altKey: true }, ""],
		])("is hidden by %s with %o, asked for again without it, and comes back", async (key, held, query) => {
			const before = daemon.searches.length;
			await press(key, held);
			const { profile, vault, path } = BREAD;
			expect(told).toEqual([{ profile, vault, path, query }]);
			expect(daemon.searches.length).toBe(before + 1);
			expect(daemon.searches.at(-1)?.remember).toBe(false);
			let undone = "";
			daemon.on("DELETE /v1/hidden", (asked) => ((undone = asked.path), {}));
			host.offered?.act();
			await vi.advanceTimersByTimeAsync(0);
			expect(undone).toContain(`asked=${query === "" ? "" : "ab"}`);
			expect(daemon.searches.length).toBe(before + 2);
		});

		it("is hidden alone, however long the key is held", async () => {
			await press("Delete", { shiftKey: true, repeat: true });
			await press("Delete", { altKey: true, repeat: true });
			expect(told).toEqual([]);
		});

		it("is not hidden while a text is selected, which Shift-Delete cuts", async () => {
			input().setSelectionRange(0, 5);
			await press("Delete", { shiftKey: true });
			expect(told).toEqual([]);
		});

		it.each([
			["hidden" as const, "1 note that you hid matches, too."],
			["dismissed" as const, "1 note that you left out of this search matches, too."],
		])("is said to match, too, where it is %s, and is found when that is asked for", async (code, text) => {
			daemon.on("POST /v1/search", () =>
				response([WORK], { notices: [{ code, text, words: ["1"], query: "" }] }),
			);
			await type("bread");
			expect(view.element.querySelector(".sj-banner")?.textContent).toContain(text);
			(view.element.querySelector(".sj-banner button") as HTMLElement).click();
			await vi.advanceTimersByTimeAsync(0);
			expect(daemon.searches.at(-1)?.hidden).toBe(true);
		});
	});

	it("offers recent notes and filters while the box is empty", async () => {
		expect(text(".sj-line-title")).toBe("Garden");
		(view.element.querySelector(".sj-filter") as HTMLElement).click();
		expect(input().value).toBe("tag:");
		await vi.advanceTimersByTimeAsync(0);
		expect(
			[...view.element.querySelectorAll(".sj-suggestion span:first-child")].map((option) => option.textContent),
		).toEqual(["baking", "two words"]);
		await press("ArrowDown");
		await press("Enter");
		expect(input().value).toBe('tag:"two words" ');
	});

	describe("completing the name of a filter", () => {
		const offered = (): (string | null)[] =>
			view.element.querySelector<HTMLElement>(".sj-suggest")?.hidden
				? []
				: [...view.element.querySelectorAll(".sj-suggestion span:first-child")].map(
						(option) => option.textContent,
					);
		const active = (): string | null | undefined =>
			document.getElementById(input().getAttribute("aria-activedescendant") ?? "")?.querySelector(".sj-title")
				?.textContent;

		it("takes it with Tab, and then offers its values", async () => {
			await type("dough tag");
			expect(offered()).toEqual(["tag:"]);
			await press("Tab");
			expect(input().value).toBe("dough tag:");
			expect(offered()).toEqual(["baking", "two words"]);
		});

		it("takes it with a click", async () => {
			await type("pa");
			view.element
				.querySelector(".sj-suggestion")
				?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
			expect(input().value).toBe("path:");
		});

		it("leaves Enter and the arrow keys to the results", async () => {
			await type("pa");
			expect([active(), input().getAttribute("aria-expanded")]).toEqual(["Bread", "true"]);
			await press("ArrowDown");
			expect([active(), offered()]).toEqual(["Runbook", []]);
			await type("mod");
			await press("Enter");
			expect(host.opened).toEqual([["Bread", "here"]]);
			expect([input().value, offered()]).toEqual(["mod", []]);
		});

		it("closes with Escape first, and by whoever hosts the panel", async () => {
			await type("fi");
			await press("Escape");
			expect([left, offered()]).toEqual([0, []]);
			await type("fil");
			expect([view.stepBack(), view.stepBack(), offered()]).toEqual([true, false, []]);
			await press("Escape");
			expect(left).toBe(1);
		});

		it("completes properties", async () => {
			await type("dough [ba");
			expect(daemon.asked.find(({ path }) => path.startsWith("/v1/suggest"))?.path).toBe(
				"/v1/suggest?kind=property&prefix=ba",
			);
			await press("Tab");
			expect(input().value).toBe("dough [baking] ");
		});
	});

	it("narrows by two presses in a hurry, before the first is answered", async () => {
		daemon.on("POST /v1/search", () =>
			response([BREAD, WORK], {
				total_notes: 9,
				facets: [
					{ name: "folder", values: [{ value: "Baking", count: 4 }] },
					{ name: "tag", values: [{ value: "rye", count: 2 }] },
				],
			}),
		);
		await type("dough");
		for (const label of ["Baking 4 notes", "#rye 2 notes"])
			view.element.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.click();
		expect(input().value).toBe("dough path:Baking/* tag:rye");
	});

	it("shows results with their highlights as elements, never as markup", async () => {
		daemon.on("POST /v1/search", () =>
			response([result({ snippet: "<img src=x> dough", highlights: [[12, 17]] })]),
		);
		await type("dough");
		expect(text(".sj-mark")).toBe("dough");
		expect(view.element.querySelector(".sj-snippet img")).toBeNull();
		expect(text(".sj-snippet")).toBe("<img src=x> dough");
	});

	it("shows profile, credentials, other places and how many were found", async () => {
		await type("dough");
		expect(titles()).toEqual(["Bread", "Runbook"]);
		const card = view.element.querySelectorAll(".sj-result")[1]?.textContent;
		expect(card).toContain("work");
		expect(card).toContain("also in home");
		expect(card).toContain("2 credentials redacted");
		expect(text(".sj-summary")).toBe("2 notes");
	});

	it("opens, links, creates and copies by key alone", async () => {
		await type("dough");
		await press("Enter");
		await press("ArrowDown");
		await press("Enter", { ctrlKey: true });
		await press("Enter", { altKey: true });
		await press("Enter", { shiftKey: true });
		input().setSelectionRange(5, 5);
		await press("c", { ctrlKey: true });
		expect(host.opened).toEqual([
			["Bread", "here"],
			["Runbook", "tab"],
		]);
		expect(host.linked).toEqual(["Runbook"]);
		expect(host.created).toEqual(["dough"]);
		expect(host.copied).toEqual(["[[Runbook]]"]);
		expect(done).toBe(4);
		await press("Escape");
		expect(left).toBe(1);
	});

	describe("telling the daemon what was opened", () => {
		const told = (): unknown[] => daemon.asked.filter(({ path }) => path === "/v1/opened").map(({ body }) => body);

		it("names the profile, the query that found the result, and its path", async () => {
			daemon.on("POST /v1/opened", () => ({}));
			await type("dough");
			await press("ArrowDown");
			await press("Enter", { ctrlKey: true });
			expect(told()).toEqual([{ profile: "work", query: "dough", path: "Runbook.md" }]);
		});

		it("names a query with a mistake as it was searched", async () => {
			const notices = [{ code: "mended" as const, text: "", words: ["braed"], query: "bread" }];
			daemon.on("POST /v1/opened", () => ({})).on("POST /v1/search", () => response([WORK], { notices }));
			await type("braed");
			await press("Enter");
			expect(told()).toEqual([{ profile: "work", query: "bread", path: "Runbook.md" }]);
		});

		it("says nothing where searches are not remembered, nor of notes that no search found", async () => {
			await press("Enter");
			expect(host.opened).toEqual([["Garden", "here"]]);
			settings = { ...DEFAULT_SETTINGS, keepHistory: false };
			await type("dough");
			await press("Enter");
			expect(host.opened).toHaveLength(2);
			expect(told()).toEqual([]);
		});

		it.each([
			["refuses", new Refused(500, {})],
			["does not know how", new Refused(404, {})],
		])("opens the note all the same where the daemon %s", async (_, answer) => {
			daemon.on("POST /v1/opened", () => answer);
			await type("dough");
			await press("Enter");
			expect(host.opened).toEqual([["Bread", "here"]]);
			expect(host.said).toEqual([]);
		});
	});

	it("leaves Control-C alone while text is selected", async () => {
		await type("dough");
		input().setSelectionRange(0, 5);
		await press("c", { ctrlKey: true });
		expect(host.copied).toEqual([]);
	});

	it("tells assistive technology which option is selected, and wraps around", async () => {
		await type("dough");
		const active = (): string | null | undefined =>
			document.getElementById(input().getAttribute("aria-activedescendant") ?? "")?.querySelector(".sj-title")
				?.textContent;
		expect(active()).toBe("Bread");
		await press("ArrowUp");
		expect(active()).toBe("Runbook");
		await press("ArrowDown");
		expect(active()).toBe("Bread");
		expect(view.element.querySelectorAll('[aria-selected="true"]')).toHaveLength(1);
	});

	it("counts only what can be selected", async () => {
		daemon.on("GET /v1/recent", () => ({ notes: [note(), note({ path: "Shed.md", title: "Shed" })] }));
		view.refresh();
		await vi.advanceTimersByTimeAsync(0);
		expect(
			[...view.element.querySelectorAll(".sj-line")].map(
				(line) => `${line.getAttribute("aria-posinset")} of ${line.getAttribute("aria-setsize")}`,
			),
		).toEqual(["1 of 2", "2 of 2"]);
	});

	it("says once how many there are, when typing has come to rest, and says that nothing was found", async () => {
		const said: string[] = [];
		const live = view.element.querySelector('[role="status"]');
		const observer = new MutationObserver(() => said.push(live?.textContent ?? ""));
		if (live) observer.observe(live, { childList: true, characterData: true, subtree: true });
		for (const query of ["d", "do", "dough"]) await type(query);
		await vi.advanceTimersByTimeAsync(1_000);
		daemon.on("POST /v1/search", () => response([], { relevance: "low" }));
		await type("zzz");
		await vi.advanceTimersByTimeAsync(1_000);
		expect(said).toEqual(["2 notes", "Nothing found"]);
		observer.disconnect();
	});

	it("selects the first of the better answer, unless the user has chosen another", async () => {
		daemon.on("POST /v1/search", ({ body }) =>
			response((body as SearchAsk).typing ? [BREAD, WORK] : [WORK, BREAD]),
		);
		const selected = (): string => text(".is-selected .sj-title");
		await type("dough");
		expect(titles()).toEqual(["Runbook", "Bread"]);
		expect(selected()).toBe("Runbook");
		await press("ArrowDown");
		daemon.on("POST /v1/search", () => response([BREAD, WORK]));
		view.refresh();
		await vi.advanceTimersByTimeAsync(0);
		expect(titles()).toEqual(["Bread", "Runbook"]);
		expect(selected()).toBe("Bread");
	});

	it("keeps the cards that the better answer leaves as they were, and opens what stands there now", async () => {
		daemon.on("POST /v1/search", ({ body }) =>
			response(
				(body as SearchAsk).typing
					? [BREAD, WORK]
					: [
							{ ...WORK, score: 0.9 },
							{ ...BREAD, snippet: "Another dough.", highlights: [] },
						],
			),
		);
		const cards = (): Element[] => [...view.element.querySelectorAll(".sj-result")];
		input().value = "dough";
		input().dispatchEvent(new Event("input"));
		await vi.advanceTimersByTimeAsync(0);
		const quick = cards();
		await vi.advanceTimersByTimeAsync(300);
		expect(titles()).toEqual(["Runbook", "Bread"]);
		expect(cards()[0]).toBe(quick[1]);
		expect(cards()[1]).not.toBe(quick[0]);
		expect(cards().map((card) => card.getAttribute("aria-posinset"))).toEqual(["1", "2"]);
		(cards()[0] as HTMLElement).click();
		expect(host.opened).toEqual([["Runbook", "here"]]);
	});

	it("tells of whose profile a recent note is once the profiles are known", async () => {
		await type("");
		expect(text(".sj-line .sj-profile")).toBe("home");
	});

	it("unfolds the other passages of the note", async () => {
		await type("dough");
		daemon.on("POST /v1/search", () =>
			response([
				BREAD,
				result({ line: 30, headings: ["Shaping"] }),
				result({ path: "Kitchen/Bread.md.bak", line: 2 }),
			]),
		);
		await press("e", { ctrlKey: true });
		expect(daemon.searches.at(-1)).toMatchObject({
			query: 'dough path:"Kitchen/Bread.md"',
			group: "chunk",
			profiles: ["home"],
		});
		expect(
			[...view.element.querySelectorAll(".sj-passage .sj-where")].map((passage) => passage.textContent),
		).toEqual(["Shapingline 30"]);
		await press("e", { ctrlKey: true });
		expect(view.element.querySelector(".sj-passage")).toBeNull();
	});

	it("has a named button for each that a result has for the pointer, where the list itself can have none", async () => {
		const group = view.element.querySelector<HTMLElement>('[role="group"][aria-label="Selected result"]');
		expect(group?.hidden).toBe(true);
		await type("dough");
		expect(group?.hidden).toBe(false);
		const buttons = [...(group?.querySelectorAll("button") ?? [])];
		expect(buttons.map(({ textContent }) => textContent)).toEqual([
			"passages",
			"why this",
			"not for this search",
			"hide note",
		]);
		buttons[1]?.click();
		await vi.advanceTimersByTimeAsync(0);
		expect(view.element.querySelector(".sj-explain")).not.toBeNull();
		await type("");
		expect(group?.hidden).toBe(true);
	});

	it("says why a result is there", async () => {
		await type("dough");
		daemon.on("POST /v1/search", () =>
			response([
				{
					...BREAD,
					explain: [{ signal: "lexical", points: 0.3, rank: 1, raw: -8 }],
					words: { has: ["dough"], lacks: ["rye"], forms: [], places: ["text"] },
				},
			]),
		);
		const why = async (): Promise<[shown: string, said: string]> => {
			await press("i", { ctrlKey: true });
			await vi.advanceTimersByTimeAsync(0);
			return [text(".sj-explain"), text(".sj-said")];
		};
		const words = "This result has dough in its text, and lacks rye.";
		expect(await why()).toEqual([words, words]);
		expect(text(".sj-lacking")).toBe("rye");
		expect((await why())[0]).toMatch(/^This result has dough in its text, and lacks rye\.Words.*BM25 8.0$/);
		expect(await why()).toEqual(["", "Reasons hidden"]);
	});

	describe("what stands behind a button", () => {
		const isShown = (panel: string): boolean => view.element.querySelector<HTMLElement>(panel)?.hidden === false;
		const button = (name: string): HTMLElement => view.element.querySelector(name) as HTMLElement;

		it("says order and place on it, and the mode where it is not the usual one", () => {
			const words = (): string => text(".sj-scope-button");
			expect(words()).toBe("Best first · all profiles");
			view.go({ query: "", profiles: ["work"], mode: "lexical", sort: "title" });
			expect(words()).toBe("Title · Words · work");
		});

		it("opens and closes: by the button, by Escape with the focus back on it, and by a click elsewhere", async () => {
			const scope = button(".sj-scope-button");
			const seen = [isShown(".sj-options")];
			const look = (act: () => void): void => {
				act();
				seen.push(isShown(".sj-options"));
			};
			const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
			look(() => scope.click());
			look(() => scope.click());
			look(() => scope.click());
			look(() => button(".sj-mode").dispatchEvent(escape));
			expect([document.activeElement, left]).toEqual([scope, 0]);
			look(() => scope.click());
			look(() => button(".sj-mode").dispatchEvent(new Event("pointerdown", { bubbles: true })));
			look(() => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true })));
			look(() => scope.click());
			look(() => view.stepBack());
			expect(seen).toEqual([false, true, false, true, false, true, true, false, true, false]);
		});

		it("shows all keys by a question mark in an empty box or in the list, and types it where something stands", async () => {
			await press("?", { shiftKey: true });
			expect([isShown(".sj-help"), view.element.querySelectorAll(".sj-help .sj-hint").length > 10]).toEqual([
				true,
				true,
			]);
			await press("Escape");
			expect([isShown(".sj-help"), left]).toEqual([false, 0]);
			await type("why");
			await press("?", { shiftKey: true });
			expect(isShown(".sj-help")).toBe(false);
			view.element
				.querySelector(".sj-results")
				?.dispatchEvent(new KeyboardEvent("keydown", { key: "?", shiftKey: true, bubbles: true }));
			expect(isShown(".sj-help")).toBe(true);
		});

		it("shows the keys while Control is held, and not for a shortcut", async () => {
			const hold = async (milliseconds: number): Promise<void> => {
				await press("Control", { ctrlKey: true });
				await vi.advanceTimersByTimeAsync(milliseconds);
			};
			const release = (): boolean =>
				input().dispatchEvent(new KeyboardEvent("keyup", { key: "Control", bubbles: true }));
			await hold(2_000);
			expect(isShown(".sj-help")).toBe(true);
			release();
			expect(isShown(".sj-help")).toBe(false);
			await hold(100);
			await press("i", { ctrlKey: true });
			await vi.advanceTimersByTimeAsync(2_000);
			expect(isShown(".sj-help")).toBe(false);
		});
	});

	it("narrows the search to the profiles chosen", async () => {
		await type("dough");
		const chips = [...view.element.querySelectorAll<HTMLElement>(".sj-options .sj-chip")];
		expect(chips.map((chip) => chip.textContent)).toEqual(["All", "home", "work"]);
		chips[2]?.click();
		await vi.advanceTimersByTimeAsync(0);
		expect(daemon.searches.at(-1)?.profiles).toEqual(["work"]);
		chips[0]?.click();
		await vi.advanceTimersByTimeAsync(0);
		expect(daemon.searches.at(-1)?.profiles).toBeUndefined();
	});

	it("says that nothing was found and what to do", async () => {
		daemon.on("POST /v1/search", () => response([]));
		await type("zzz");
		expect(text(".sj-notice-title")).toBe("Nothing found");
		[...view.element.querySelectorAll<HTMLElement>(".sj-notice .sj-button")]
			.find((found) => found.textContent === "Create this note")
			?.click();
		expect(host.created).toEqual(["zzz"]);
	});

	it("says that the reason may be notes that are still to be read", async () => {
		daemon.on("POST /v1/search", () =>
			response([], { notices: [{ code: "unread", text: "", words: [], query: "" }] }),
		);
		await type("zzz");
		expect(text(".sj-notice-detail")).toBe("Some notes have not been read yet, so there may be more.");
	});

	it.each([
		[
			"profiles that did not answer",
			{
				unanswered: [
					{ profile: "work", reason: "It is locked.", code: "locked" as const },
					{ profile: "old", reason: "It did not answer in time.", code: "late" as const },
				],
			},
			"work did not answer. It is locked. old did not answer.",
		],
		[
			"a query that was read in another way",
			{
				warnings: [
					{
						code: "unclosed-quote" as const,
						start: 0,
						end: 1,
						message: "The closing quote is missing.",
						instead: "",
					},
				],
			},
			"The closing quote is missing.",
		],
		[
			"notes that are still to be read",
			{ notices: [{ code: "unread" as const, text: "", words: [], query: "" }] },
			"there may be more",
		],
		["a model that is away", { semantic: "unavailable" as const }, "by words only"],
	])("tells of %s", async (_, change, words) => {
		daemon.on("POST /v1/search", () => response([BREAD], change));
		await type("dough");
		expect(text(".sj-banner")).toContain(words);
	});

	it("says above the results that nothing fits well where the daemon thinks so", async () => {
		daemon.on("POST /v1/search", () => response([BREAD], { relevance: "low", pending_embeddings: 1_200 }));
		await type("dough");
		expect(text(".sj-banner")).toBe("None of these is likely what you meant.");
		expect(text(".sj-summary")).toBe("1 note · 1,200 passages found by words only for now");
	});

	it.each<
		[what: string, warnings: { code: QueryWarning["code"]; message: string }[], notices: Notice[], says: string]
	>([
		["no note passes", [], [], "No note passes these filters"],
		[
			"a filter has no value yet",
			[{ code: "empty-value", message: "It has no value." }],
			[{ code: "nothing-asked", text: "Nothing to look for.", words: [], query: "" }],
			"Nothing to look for.",
		],
		["a filter is searched as a word", [{ code: "bad-date", message: "No date." }], [], "No note answers “tag:”"],
	])("says of filters alone what holds where %s", async (_, warned, notices, says) => {
		const warnings = warned.map((warning) => ({ ...warning, start: 0, end: 4, instead: "" }));
		daemon.on("POST /v1/search", () => response([], { warnings, notices }));
		await type("tag:");
		expect(text(".sj-notice")).toContain(says);
		expect(text(".sj-notice").includes("passes these filters")).toBe(says.includes("passes these filters"));
	});

	it("shows how well a result fits where words are looked for, and not in a list of what passes filters", async () => {
		await type("dough");
		expect(view.element.querySelectorAll(".sj-tier")).toHaveLength(2);
		daemon.on("POST /v1/search", () => response([result({ found_by: "filters" })], { total_notes: 7 }));
		await type("tag:dough");
		expect([text(".sj-summary"), view.element.querySelector(".sj-tier")]).toEqual(["1 of 7 notes", null]);
	});

	it.each([
		["all that match", {}, "1 note"],
		["a part of those that match", { total_notes: 406 }, "1 of 406 notes"],
		["a search by meaning alone", { total_notes: null }, "1 note"],
		["notes that hold no word", { total_notes: 0, results: [result({ found_by: "meaning" })] }, "1 by meaning"],
		[
			"both",
			{ total_notes: 9, results: [BREAD, result({ found_by: "meaning", path: "Other.md" })] },
			"1 of 9 notes + 1 by meaning",
		],
	])("counts %s", async (_, change, words) => {
		daemon.on("POST /v1/search", () => response([BREAD], change));
		await type("dough");
		expect(text(".sj-summary")).toBe(words);
	});

	it("tells in one line what is missing and what was mended, the missing first", async () => {
		const notices = [{ code: "mended" as const, text: "Showing results for curl.", words: [], query: "curl" }];
		const unanswered = [{ profile: "work", code: "locked" as const, reason: "It is locked." }];
		daemon.on("POST /v1/search", () => response([BREAD], { notices, unanswered }));
		await type("curlew");
		expect(text(".sj-banner")).toBe(
			"work did not answer. It is locked. These results are without it.Try again1 more",
		);
		view.element.querySelector<HTMLElement>(".sj-banner button:last-child")?.click();
		expect(text(".sj-banner")).toBe("Showing results for curl.Search for what I typed1 more");
		daemon.on("POST /v1/search", () => response([], { unanswered }));
		await type("curlews");
		expect(text(".sj-banner")).toContain("work did not answer.");
		expect(view.element.textContent).not.toContain("Nothing found");
	});

	it("says what was mended, and searches what was typed instead", async () => {
		const notices = [
			{ code: "mended" as const, text: "Showing results for bread.", words: ["braed"], query: "bread" },
		];
		daemon.on("POST /v1/search", () => response([BREAD], { notices }));
		await type("braed");
		expect(text(".sj-banner")).toContain("Showing results for bread.");
		view.element.querySelector<HTMLElement>(".sj-banner .sj-button")?.click();
		await vi.runAllTimersAsync();
		expect(daemon.searches.at(-1)).toMatchObject({ query: "braed", mend: false });
	});

	it("offers the filter that words may have meant", async () => {
		const warnings = [
			{
				code: "date-in-words" as const,
				start: 6,
				end: 15,
				message: "These words are searched.",
				instead: "dough modified:yesterday",
			},
		];
		daemon.on("POST /v1/search", () => response([BREAD], { warnings }));
		await type("dough yesterday");
		view.element.querySelector<HTMLElement>(".sj-banner .sj-button")?.click();
		await vi.runAllTimersAsync();
		expect(daemon.searches.at(-1)?.query).toBe("dough modified:yesterday");
	});

	it("shows the daemon's own words for a refusal, and recovers", async () => {
		daemon.on(
			"POST /v1/search",
			() => new Refused(400, { code: "usage", status: 400, detail: "A query has at most 500 characters." }),
		);
		await type("dough");
		expect(text(".sj-notice-detail")).toBe("A query has at most 500 characters.");
		daemon.on("POST /v1/search", () => response([BREAD]));
		await type("doug");
		expect(view.element.querySelector(".sj-notice")).toBeNull();
		expect(titles()).toEqual(["Bread"]);
	});

	it("says how to start a daemon that is away, and searches again when told that it is back", async () => {
		daemon.isAway = true;
		await type("dough");
		expect(text(".sj-notice")).toContain("scrubjay start");
		expect(view.element.querySelector(".sj-row")).toBeNull();
		daemon.isAway = false;
		view.refresh();
		await vi.advanceTimersByTimeAsync(0);
		expect(titles()).toEqual(["Bread", "Runbook"]);
	});

	describe("while notes are read", () => {
		const READING: Told = { state: "reading", progress: { unread: 2 } };
		const EMBEDDING: Told = { state: "embedding", pending_embeddings: 9 };
		const UNREAD = { notices: [{ code: "unread" as const, text: "Not all was read.", words: [], query: "" }] };
		let connection: Connection;
		let stop: () => void;

		const tell = async (change: Told): Promise<void> => {
			const { progress } = status().profiles[0] ?? {};
			const about = { ...change, progress: { ...progress, ...change.progress } } as ProfileStatus;
			daemon.on("GET /v1/status", () => status(about));
			connection.retry();
			await vi.advanceTimersByTimeAsync(0);
		};

		beforeEach(() => {
			connection = new Connection(new Client(daemon));
			stop = view.follow(connection);
			connection.start();
		});
		afterEach(() => {
			stop();
			connection.stop();
		});

		it("searches again where nothing was found and more has been read, and leaves results as they are", async () => {
			daemon.on("POST /v1/search", () => response([]));
			await tell({ notes: 3 });
			await type("dough");
			expect(titles()).toEqual([]);
			daemon.on("POST /v1/search", () => response([BREAD]));
			await tell({ notes: 4 });
			expect(titles()).toEqual(["Bread"]);
			daemon.on("POST /v1/search", () => response([WORK]));
			await tell({ notes: 5 });
			expect(titles()).toEqual(["Bread"]);
		});

		it("asks again once what was not read is read, and again once it is read for meaning, and no more", async () => {
			await tell(READING);
			daemon.on("POST /v1/search", () => response([BREAD], UNREAD));
			await type("dough");
			const before = daemon.searches.length;
			await tell(READING);
			expect(daemon.searches.length).toBe(before);
			daemon.on("POST /v1/search", () => response([WORK, BREAD], { pending_embeddings: 9 }));
			await tell(EMBEDDING);
			expect([titles(), text(".sj-banner")]).toEqual([["Runbook", "Bread"], ""]);
			await tell({ ...EMBEDDING, pending_embeddings: 4 });
			daemon.on("POST /v1/search", () => response([WORK, BREAD]));
			for (let turn = 0; turn < 5; turn += 1) await tell({ state: "idle" });
			expect(daemon.searches.length).toBe(before + 2);
			expect(daemon.searches.at(-1)?.remember).toBe(false);
		});

		it("keeps the note that was chosen", async () => {
			await tell(READING);
			daemon.on("POST /v1/search", () => response([BREAD], UNREAD));
			await type("dough");
			await press("ArrowDown");
			daemon.on("POST /v1/search", () => response([WORK, BREAD]));
			await tell({ state: "idle" });
			expect(titles()).toEqual(["Runbook", "Bread"]);
			expect(text(".is-selected .sj-title")).toBe("Bread");
		});

		it("asks once where what waits will not be read, as long as nothing goes on", async () => {
			daemon.on("POST /v1/search", () => response([BREAD], UNREAD));
			await tell({ state: "paused" });
			await type("dough");
			const before = daemon.searches.length;
			for (let turn = 0; turn < 5; turn += 1) await tell({ state: "paused" });
			expect(daemon.searches.length).toBe(before);
			await tell({ state: "idle" });
			expect(daemon.searches.length).toBe(before + 1);
		});

		it("asks again once a profile that did not answer is open", async () => {
			const unanswered = [{ profile: "home", code: "locked" as const, reason: "It is locked." }];
			await tell({ state: "locked" });
			daemon.on("POST /v1/search", () => response([], { unanswered }));
			await type("dough");
			const before = daemon.searches.length;
			await tell({ state: "locked" });
			expect(daemon.searches.length).toBe(before);
			daemon.on("POST /v1/search", () => response([BREAD]));
			await tell({ state: "idle" });
			expect([titles(), text(".sj-banner")]).toEqual([["Bread"], ""]);
			expect(daemon.searches.length).toBe(before + 1);
		});

		it("waits for the profiles alone that were searched", async () => {
			view.go({ query: "dough", profiles: ["work"], mode: "hybrid", sort: "relevance" });
			daemon.on("POST /v1/search", () => response([BREAD], UNREAD));
			await vi.advanceTimersByTimeAsync(0);
			await tell({ ...READING, name: "work" });
			const before = daemon.searches.length;
			await tell({ ...READING, name: "home" });
			expect(daemon.searches.length).toBe(before + 1);
		});
	});

	it("leads to a vault where none can be searched yet, rather than trying again, and offers nothing to narrow", async () => {
		daemon.on("GET /v1/recent", () => new Refused(409, { code: "no-profiles", status: 409 }));
		const chooseVault = vi.fn();
		Object.assign(host, { chooseVault });
		view.setProfiles([]);
		view.refresh();
		await vi.advanceTimersByTimeAsync(0);
		const offered = [...view.element.querySelectorAll<HTMLElement>(".sj-notice .sj-button")];
		expect(offered.map(({ textContent }) => textContent)).toEqual(["Choose a vault"]);
		offered[0]?.click();
		expect([chooseVault.mock.calls.length, view.element.classList.contains("has-no-profile")]).toEqual([1, true]);
	});

	describe("folders that a query names", () => {
		const asked = (): string[][] =>
			daemon.asked
				.map(({ path }) => new URLSearchParams(path.split("?")[1]))
				.filter((ask) => ask.get("kind") === "named-folder")
				.map((ask) => [ask.get("prefix") ?? "", ask.get("profile") ?? ""]);
		const folders = (): HTMLElement[] => [
			...view.element.querySelectorAll<HTMLElement>('[aria-label="Folders with this name"] button'),
		];
		beforeEach(() => {
			daemon.on("GET /v1/suggest", () => ({ suggestions: [{ value: "Kitchen/Bread and rolls", notes: 4 }] }));
		});

		it("stand above the results, and are searched where the host has no files to show", async () => {
			await type("bread");
			expect(folders().map(({ textContent }) => textContent)).toEqual([" Kitchen/Bread and rolls 4"]);
			expect(titles()[0]).toBe("Bread");
			folders()[0]?.click();
			await vi.advanceTimersByTimeAsync(0);
			expect(input().value).toBe('path:"Kitchen/Bread and rolls"');
			expect([asked(), folders()]).toEqual([[["bread", ""]], []]);
		});

		it("are shown by the host where it can, and the search stays", async () => {
			const revealFolder = vi.fn(() => true);
			Object.assign(host, { revealFolder });
			await type("bread");
			folders()[0]?.click();
			expect([revealFolder.mock.calls, input().value]).toEqual([[["Kitchen/Bread and rolls"]], "bread"]);
		});

		it("are asked of the profiles alone that the search is put to, and one of two profiles is shown once", async () => {
			view.go({ query: "bread", profiles: ["work", "home"], mode: "hybrid", sort: "relevance" });
			await vi.advanceTimersByTimeAsync(300);
			expect(asked()).toEqual([
				["bread", "work"],
				["bread", "home"],
			]);
			expect(folders()).toHaveLength(1);
		});

		it.each(["bread tag:baking", '"bread"', "bread -rye", "one two three four five six", "(bread OR rye)"])(
			"are none for what is more than words: %s",
			async (query) => {
				await type(query);
				expect([asked(), folders()]).toEqual([[], []]);
			},
		);
	});

	it("remembers a query that led to a note, and brings it back", async () => {
		await type("dough");
		await type("doughnut");
		await press("Enter");
		await type("");
		expect(text(".sj-line-title")).toBe("doughnut");
		await press("ArrowUp", { altKey: true });
		expect(input().value).toBe("doughnut");
	});
});
