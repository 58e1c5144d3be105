import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import type {
	Change,
	ClearAsk,
	PreviewReply,
	Proposal,
	ReviewDecideAsk,
	WritableAsk,
	WritableReply,
} from "../../src/api/wire";
import type { Applied, Shown } from "../../src/panel/host";
import { AcceptedChanges } from "../../src/panel/review/acceptedChanges";
import { ReviewView } from "../../src/panel/review/reviewView";
import { FakeDaemon, Refused } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

const KEYS = ["aa", "bb", "cc"];
const NOTE = ["Birds/Heron 0.md"];
const change = (path: string): Change => ({
	action: "replace",
	vault: "Notes",
	path,
	line: 3,
	before: "weir",
	after: "[[Weir]]",
});
const proposal = (at: number, given: Partial<Proposal> = {}): Proposal => {
	const path = given.path ?? `Birds/Heron ${at}.md`;
	const options = [
		{ id: "w", label: "Weir", changes: [change(path)], chosen: true, score: 0.9 },
		{ id: "m", label: "Mill", changes: [change(path)], chosen: false, score: 0.4 },
	];
	return {
		key: KEYS[at] ?? "",
		kind: "missing-link",
		profile: "home",
		vault: "Notes",
		path,
		title: `Heron ${at}`,
		line: 3,
		quote: "It stands at the weir.",
		detail: "",
		by: "",
		others: [],
		scores: [],
		options,
		strength: 0.8,
		answer: "open",
		absent: "",
		chosen: [],
		...given,
	};
};

let daemon: FakeDaemon;
let host: RecordingHost & { applyChanges?: (shown: Shown) => Promise<Applied | null> };
let view: ReviewView;
let all: Proposal[];
let mayDecide: boolean;
let written: boolean;
let excluded: string[];

/** A daemon that remembers answers. */
function answering(): void {
	daemon.on("GET /v1/review", ({ path }) => {
		const asked = new URLSearchParams(path.split("?")[1]);
		const answered = all.filter(({ answer }) => answer === (asked.get("answer") ?? "open"));
		const proposals = answered.filter(
			({ kind, path: note }) =>
				(asked.get("kind") ?? kind) === kind && note.startsWith(asked.get("folder") ?? ""),
		);
		const kinds = [...new Set(answered.map(({ kind }) => kind))];
		return {
			proposals,
			total: proposals.length,
			counts: kinds.map((kind) => ({ kind, count: answered.filter((each) => each.kind === kind).length })),
			may_decide: mayDecide,
			waiting: 0,
			unanswered: [],
			written,
		};
	});
	daemon.on("POST /v1/review", ({ body }) => {
		const { key, answer } = body as ReviewDecideAsk;
		all = all.map((each) => (each.key === key ? { ...each, answer } : each));
		return {};
	});
	daemon.on("POST /v1/review/writable", ({ body }): WritableReply => {
		const { paths } = body as WritableAsk;
		return { refused: paths.filter((path) => excluded.includes(path)) };
	});
	daemon.on("POST /v1/review/preview", ({ body }): PreviewReply => {
		const { key, chosen } = body as { key: string; chosen: string[] };
		const path = all.find((each) => each.key === key)?.path ?? "";
		return {
			changes: chosen.length > 0 ? [change(path)] : [],
			files: [
				{
					vault: "Notes",
					path,
					to: path,
					diff: `--- a/${path}\n+++ b/${path}\n@@ -3 +3 @@\n-It stands at the weir.\n+It stands at the [[Weir]].\n`,
					digest: "00",
				},
			],
			refused: "",
		};
	});
}

const texts = (selector: string): string[] =>
	[...view.element.querySelectorAll(selector)].map((element) => element.textContent ?? "");
const answers = (): unknown[] =>
	daemon.asked.filter(({ method, path }) => method === "POST" && path === "/v1/review").map(({ body }) => body);
const settled = async (): Promise<void> => {
	for (let round = 0; round < 5; round += 1) await new Promise((resolve) => window.setTimeout(resolve));
};
const shown = (): Promise<unknown> => vi.waitFor(() => expect(texts(".sj-diff")).toHaveLength(1));
const press = async (key: string, init: KeyboardEventInit = {}): Promise<void> => {
	const place = view.element.contains(document.activeElement)
		? document.activeElement
		: view.element.querySelector('[aria-current="true"]');
	place?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
	await settled();
};

beforeEach(async () => {
	daemon = new FakeDaemon();
	host = new RecordingHost();
	mayDecide = true;
	written = false;
	excluded = [];
	all = [
		proposal(0),
		proposal(1),
		proposal(2, { kind: "orphan", path: "Ponds/Frog.md", options: [], title: "Frog" }),
	];
	answering();
	view = new ReviewView({ client: () => new Client(daemon), host });
	document.body.append(view.element);
	await view.load();
});
afterEach(() => document.body.replaceChildren());

describe("what was accepted, on the page", () => {
	const looked: PreviewReply = {
		changes: [change("Birds/Heron 0.md")],
		files: [
			{
				vault: "Notes",
				path: "Birds/Heron 0.md",
				to: "Birds/Heron 0.md",
				diff: "-weir\n+[[Weir]]\n",
				digest: "",
			},
		],
		refused: "",
	};
	let accepted: AcceptedChanges;

	beforeEach(async () => {
		daemon
			.on("POST /v1/review/preview", () => looked)
			.on("POST /v1/review/write", () => ({ keys: ["aa"], notes: NOTE, refused: [], run: "abcd1234" }))
			.on("POST /v1/review/undo", () => ({ keys: ["aa"], notes: NOTE, refused: [], run: "" }))
			.on("GET /v1/review/runs", () => ({ runs: [] }));
		const client = (): Client => new Client(daemon);
		accepted = new AcceptedChanges({ client, host, onDone: () => view.load() });
		view = new ReviewView({ client, host, accepted });
		document.body.replaceChildren(view.element);
		await view.load();
		await press("y");
	});

	const asked = (path: string): unknown[] =>
		daemon.asked.filter((each) => each.path === path).map(({ body }) => body);

	it("is shown before it is written, by a second press, and comes back", async () => {
		await press("w");
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff ins")?.textContent).toBe("+[[Weir]]"));
		expect(asked("/v1/review/write")).toEqual([]);
		accepted.go();
		await vi.waitFor(() => expect(asked("/v1/review/write")).toEqual([{ keys: ["aa"] }]));
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note changed."));
		host.offered?.act();
		await vi.waitFor(() => expect(asked("/v1/review/undo")).toEqual([{ run: "abcd1234" }]));
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note as before."));
	});

	it("can be seen and taken back as soon as it is written, while the list is still asked for anew", async () => {
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff")).not.toBeNull());
		daemon.on("GET /v1/review", () => new Promise(() => undefined));
		accepted.go();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note changed."));
		accepted.element.querySelector("details")?.setAttribute("open", "");
		await vi.waitFor(() => expect(asked("/v1/review/runs")).toHaveLength(1));
		host.offered?.act();
		await vi.waitFor(() => expect(asked("/v1/review/undo")).toEqual([{ run: "abcd1234" }]));
	});

	it("is no longer said to wait once it is written, while the list is still asked for anew", async () => {
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff")).not.toBeNull());
		expect(accepted.element.textContent).toContain("1 accepted and not written yet.");
		daemon.on("GET /v1/review", () => new Promise(() => undefined));
		accepted.go();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note changed."));
		expect(accepted.element.textContent).not.toContain("not written yet");
		expect(view.element.contains(document.activeElement)).toBe(true);
	});

	it("says that it works for as long as it is being written, and takes a second press for none", async () => {
		let done = (): void => undefined;
		const written = new Promise<void>((resolve) => (done = resolve));
		daemon.on("POST /v1/review/write", () =>
			written.then(() => ({ keys: ["aa"], notes: NOTE, refused: [], run: "abcd1234" })),
		);
		const working = (): string[] =>
			[...accepted.element.querySelectorAll<HTMLElement>("[role=status]")]
				.filter(({ hidden }) => !hidden)
				.map(({ textContent }) => textContent ?? "");
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff")).not.toBeNull());
		await vi.waitFor(() => expect(working()).toEqual([]));
		accepted.go();
		expect(working()).toEqual(["Working…"]);
		accepted.go();
		done();
		await vi.waitFor(() => expect(host.said).toEqual(["1 note changed."]));
		await vi.waitFor(() => expect(working()).toEqual([]));
		expect(asked("/v1/review/write")).toHaveLength(1);
	});

	it("keeps the focus on what writes it while more comes in", async () => {
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff")).not.toBeNull());
		const write = accepted.element.querySelector<HTMLElement>(".sj-button-main");
		all = [...all, proposal(3, { key: "dd" })];
		await view.load();
		expect([texts(".sj-review-row").length, document.activeElement === write]).toEqual([3, true]);
	});

	it("is what U takes back, where it was done last; before that an answer", async () => {
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff")).not.toBeNull());
		accepted.go();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note changed."));
		await settled();
		await press("n");
		const before = answers().length;
		await press("u");
		expect([answers().length, asked("/v1/review/undo")]).toEqual([before + 1, []]);
		await press("u");
		expect(asked("/v1/review/undo")).toEqual([{ run: "abcd1234" }]);
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note as before."));
		await press("u");
		expect([answers().length, asked("/v1/review/undo").length]).toEqual([before + 2, 1]);
	});

	it("is not taken back a second time by U once its message took it back", async () => {
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff")).not.toBeNull());
		accepted.go();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note changed."));
		host.offered?.act();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note as before."));
		await press("u");
		expect(asked("/v1/review/undo")).toHaveLength(1);
		expect(answers().at(-1)).toMatchObject({ key: "aa", answer: "open" });
	});

	it("is counted in one line where it changes no note, and named where it can't be written", async () => {
		const nothing: PreviewReply = { changes: [], files: [], refused: "" };
		await press("y");
		daemon.on("POST /v1/review/preview", ({ body }) =>
			(body as { key: string }).key === "aa" ? { ...nothing, refused: "It has changed." } : nothing,
		);
		await press("y");
		await vi.waitFor(() => expect(all.filter(({ answer }) => answer === "yes")).toHaveLength(3));
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelectorAll(".sj-muted:not([role])")).toHaveLength(2));
		expect(
			[...accepted.element.querySelectorAll(".sj-muted:not([role])")].map(({ textContent }) => textContent),
		).toEqual([
			"Heron 0: This can't be written: It has changed.",
			"2 of them change no note, and are marked as done.",
		]);
	});

	it("is listed where there was any", async () => {
		const list = accepted.element.querySelector("details");
		expect(list?.hidden).toBe(true);
		written = true;
		await view.load();
		expect(list?.hidden).toBe(false);
	});

	it("names what could not be written, and why", async () => {
		const refused = [{ path: "Birds/Heron 0.md", keys: ["aa"], reason: "It has changed." }];
		daemon.on("POST /v1/review/write", () => ({ keys: [], notes: [], refused, run: "" }));
		accepted.go();
		await vi.waitFor(() => expect(accepted.element.querySelector(".sj-diff")).not.toBeNull());
		accepted.go();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("0 notes changed. Birds/Heron 0.md: It has changed."));
		expect(host.offered).toBeUndefined();
	});
});

describe("decisions that tidy the notes", () => {
	it.each<[Proposal["kind"], string, string]>([
		["dead-end", "6", "6 notes link to it, and it links to none."],
		["dead-end", "1", "1 note links to it, and it links to none."],
		["stub", "12", "12 words"],
		["long", "3200", "3,200 words"],
		["stale", "900", "Unchanged for 900 days"],
		["empty", "8", ""],
		["broken-link", "Wier", "Wier"],
	])("say of %s with %s what that is", async (kind, detail, says) => {
		all = [proposal(0, { kind, detail, options: [] })];
		await view.load();
		expect(texts(".sj-review-detail").join()).toBe(says);
	});

	it("are answered down to none by keys, each with what was ticked", async () => {
		const counts: string[] = [];
		for (const key of ["2", "y", "n", "l"]) {
			await press(key);
			counts.push(texts("h2").join());
		}
		expect(counts).toEqual(["3 decisions wait", "2 decisions wait", "1 decision waits", "0 decisions wait"]);
		expect(answers()).toEqual([
			{ profile: "home", key: "aa", answer: "yes", chosen: ["w", "m"] },
			{ profile: "home", key: "bb", answer: "no", chosen: null },
			{ profile: "home", key: "cc", answer: "later", chosen: null },
		]);
		expect([texts(".sj-notice-title"), document.activeElement?.className]).toEqual([
			["Nothing waits"],
			"sj-notice",
		]);
	});

	it("show what yes would change, and take the last answer back", async () => {
		await shown();
		expect(texts(".sj-diff ins")).toEqual(["+It stands at the [[Weir]]."]);
		expect(texts(".sj-diff del")).toEqual(["-It stands at the weir."]);
		await press("n");
		await press("u");
		expect(answers().at(-1)).toEqual({ profile: "home", key: "aa", answer: "open", chosen: null });
		expect(texts('.sj-finding[aria-current="true"]').join()).toContain("Heron 0");
	});

	it("that a program put forward are refused all at once, by who may decide", async () => {
		all = [
			proposal(0, { kind: "suggested", by: "Cursor" }),
			proposal(1, { kind: "suggested", by: "Cursor" }),
			proposal(2, { kind: "suggested", by: "Codex" }),
		];
		daemon.on("POST /v1/review/clear", ({ body }) => {
			const { by } = body as ClearAsk;
			all = all.map((each) => (each.by === by ? { ...each, answer: "no" } : each));
			return { count: 2 };
		});
		await view.load();
		const offered = (): HTMLElement | undefined =>
			[...view.element.querySelectorAll<HTMLElement>("button")].find(
				({ textContent }) => textContent === "Refuse all of Cursor",
			);
		offered()?.click();
		await settled();
		expect(daemon.asked.filter(({ path }) => path === "/v1/review/clear").map(({ body }) => body)).toEqual([
			{ by: "Cursor", profile: "home" },
		]);
		expect(texts("h2")).toEqual(["1 decision waits"]);
		expect(texts('.sj-finding[aria-current="true"]').join()).toContain("Heron 2");
		mayDecide = false;
		all = [proposal(0, { kind: "suggested", by: "Cursor" })];
		await view.load();
		expect(offered()).toBeUndefined();
	});

	it.each(["the daemon", "Obsidian"])(
		"wait for a choice where nothing is ticked and %s would write, and say so",
		async (who) => {
			if (who === "Obsidian") host.applyChanges = () => Promise.resolve(null);
			await press("1"); // takes the tick away
			await press("y");
			expect(host.said).toEqual([
				"Take one of its options first, by its number; or answer no, if none of them was meant.",
			]);
			expect(answers()).toEqual([]);
			await press("2");
			await shown();
			if (who === "the daemon") await press("y");
			expect(answers()).toEqual(
				who === "the daemon" ? [{ profile: "home", key: "aa", answer: "yes", chosen: ["m"] }] : [],
			);
		},
	);

	it("are narrowed down by kind and by folder", async () => {
		const chip = (words: string): HTMLElement | undefined =>
			[...view.element.querySelectorAll<HTMLElement>(".sj-chip")].find(
				({ textContent }) => textContent === words,
			);
		chip("Not linked at all 1")?.click();
		await settled();
		expect(texts(".sj-review-row .sj-finding").join()).toContain("Frog");
		expect(texts("h2")).toEqual(["3 decisions wait"]);
		chip("Not linked at all 1")?.click();
		await settled();
		chip("Birds")?.click();
		await settled();
		expect(texts(".sj-review-row")).toHaveLength(2);
	});

	it("come in by themselves while notes are still being looked at", async () => {
		vi.useFakeTimers();
		try {
			daemon.on("GET /v1/review", () => ({
				proposals: [],
				total: 0,
				counts: [],
				may_decide: true,
				waiting: 9,
				unanswered: [],
			}));
			await view.load();
			expect(texts(".sj-notice-title")).toEqual(["Looking through your notes"]);
			answering();
			await vi.advanceTimersByTimeAsync(2_500);
			expect(texts("h2")).toEqual(["3 decisions wait"]);
			const asked = daemon.asked.length;
			await vi.advanceTimersByTimeAsync(60_000);
			expect(daemon.asked.filter(({ path }) => path.startsWith("/v1/review?"))).toHaveLength(
				daemon.asked.slice(0, asked).filter(({ path }) => path.startsWith("/v1/review?")).length,
			);
		} finally {
			vi.useRealTimers();
		}
	});

	it("stay where they are between a press and its release, whatever comes meanwhile", async () => {
		const at = (title: string): HTMLElement | undefined =>
			[...view.element.querySelectorAll<HTMLElement>(".sj-finding")].find(({ textContent }) =>
				textContent?.includes(title),
			);
		const row = at("Heron 1");
		row?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
		row?.focus();
		all = all.slice(1);
		const loaded = view.load();
		await settled();
		expect([row?.isConnected, texts(".sj-review-row").length]).toEqual([true, 3]);
		row?.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
		row?.click();
		await loaded;
		expect(texts('.sj-review-row:has([aria-current="true"])').join()).toContain("Heron 1");
		expect(texts(".sj-review-row")).toHaveLength(2);
	});

	it("are not answered by a key that is held down, nor by letters away from the row", async () => {
		for (const key of ["y", "n", "l", "1", "u"]) await press(key, { repeat: true });
		view.element.querySelector<HTMLElement>(".sj-chip")?.focus();
		for (const key of ["y", "n", "l", "1"]) await press(key);
		expect([
			answers(),
			[...view.element.querySelectorAll<HTMLInputElement>("input")].map(({ checked }) => checked),
		]).toEqual([[], [true, false]]);
	});

	it("takes a run of answers back at once", async () => {
		for (const key of ["n", "l"]) await press(key);
		await vi.waitFor(() => expect(answers()).toHaveLength(2));
		await press("U", { shiftKey: true });
		await vi.waitFor(() =>
			expect(answers().map((each) => (each as ReviewDecideAsk).answer)).toEqual([
				...["no", "later"],
				...["open", "open"],
			]),
		);
	});

	it("ask for no more once nobody sees them, though notes are still looked at", async () => {
		vi.useFakeTimers();
		const found = daemon.answers.get("GET /v1/review");
		daemon.on("GET /v1/review", (asked) => ({ ...(found?.(asked) as object), waiting: 3 }));
		await view.load();
		expect(vi.getTimerCount()).toBeGreaterThan(0);
		view.dispose();
		expect(vi.getTimerCount()).toBe(0);
		const late = view.load();
		view.dispose();
		await late;
		expect(vi.getTimerCount()).toBe(0);
		vi.useRealTimers();
	});

	it("take the last answer back wherever the focus is in the pane", async () => {
		await press("n");
		view.element.querySelector<HTMLElement>(".sj-chip")?.focus();
		await press("u");
		expect(answers().at(-1)).toMatchObject({ key: "aa", answer: "open" });
	});

	it("lose no key to a list that was asked for before the answer and comes while its reply is awaited", async () => {
		const reviews: (() => void)[] = [];
		const told: (() => void)[] = [];
		daemon.on("GET /v1/review", () => {
			const reply = (): object => ({
				proposals: all.filter(({ answer }) => answer === "open"),
				total: 0,
				counts: [],
				may_decide: true,
				waiting: 0,
				unanswered: [],
			});
			return new Promise((answer) => reviews.push(() => answer(reply())));
		});
		daemon.on("POST /v1/review", ({ body }) => {
			const { key, answer: said } = body as ReviewDecideAsk;
			all = all.map((each) => (each.key === key ? { ...each, answer: said } : each));
			return new Promise((answer) => told.push(() => answer({})));
		});
		const answerAll = async (): Promise<void> => {
			for (let round = 0; round < 3; round += 1) {
				for (const reply of reviews.splice(0)) reply();
				await settled();
			}
		};
		void view.load();
		await settled();
		await press("n");
		await answerAll();
		// Whatever is shown now, a key that is pressed on it counts.
		const isRedrawn = !texts(".sj-finding").join().includes("Heron 0");
		if (isRedrawn) await press("n");
		told[0]?.();
		await answerAll();
		if (!isRedrawn) await press("n");
		await vi.waitFor(() => expect(answers()).toHaveLength(2));
		expect(answers()).toMatchObject([{ key: "aa" }, { key: "bb" }]);
	});

	it("keep the focus in the pane where an error takes the place of the list, and where new ones take that of the words that none waits", async () => {
		const kept = all;
		view.element.querySelector<HTMLElement>(".sj-finding")?.focus();
		daemon.on("GET /v1/review", () => new Refused(500, {}));
		await view.load();
		expect(view.element.contains(document.activeElement)).toBe(true);
		answering();
		all = [];
		await view.load();
		expect(document.activeElement?.className).toBe("sj-notice");
		all = kept;
		await view.load();
		expect(document.activeElement?.textContent).toContain("Heron 0");
	});

	it("are the same elements where nothing is new, and the focus stays on what it was on where something is", async () => {
		const yes = (): HTMLElement | null => view.element.querySelector<HTMLElement>(".sj-button-main");
		const before = yes();
		before?.focus();
		await view.load();
		expect(yes()).toBe(before);
		all = [...all, proposal(3, { key: "dd" })];
		await view.load();
		expect(yes()).not.toBe(before);
		expect(document.activeElement).toBe(yes());
	});

	it("keep the row that was pressed when it becomes the current one", () => {
		const row = view.element.querySelectorAll<HTMLElement>(".sj-finding")[1];
		row?.focus();
		expect([row?.isConnected, row?.getAttribute("aria-current"), document.activeElement === row]).toEqual([
			true,
			"true",
			true,
		]);
	});

	it("are only listed for who may not decide", async () => {
		mayDecide = false;
		await view.load();
		await press("y");
		expect(answers()).toEqual([]);
		expect(texts(".sj-card-actions")).toEqual([]);
	});

	it.each([
		[
			"nothing was found",
			(): object => ({ proposals: [], total: 0, counts: [], may_decide: true, waiting: 0, unanswered: [] }),
			"Nothing waits",
		],
		[
			"it is still looking",
			(): object => ({ proposals: [], total: 0, counts: [], may_decide: true, waiting: 40, unanswered: [] }),
			"Looking through your notes",
		],
		["this client may not see it", (): object => new Refused(403, {}), "Not available"],
		[
			"the daemon stumbles",
			(): object => new Refused(500, { detail: "The index cannot be read." }),
			"That did not work",
		],
	])("say so where %s", async (_, answer, words) => {
		daemon.on("GET /v1/review", answer);
		await view.load();
		expect(texts(".sj-notice-title")).toEqual([words]);
	});
});

describe("where the host writes notes", () => {
	it("writes what was shown, and takes it back", async () => {
		const undo = vi.fn(() => Promise.resolve(true));
		const apply = vi.fn(() => Promise.resolve({ stays: [], touched: () => NOTE, undo }));
		host.applyChanges = apply;
		await view.load();
		await shown();
		await press("y");
		expect(apply).toHaveBeenCalledWith(expect.objectContaining({ changes: [change("Birds/Heron 0.md")] }));
		expect(answers()).toEqual([{ profile: "home", key: "aa", answer: "done", chosen: ["w"] }]);
		await press("u");
		expect(undo).toHaveBeenCalledOnce();
		expect(answers().at(-1)).toMatchObject({ answer: "open" });
	});

	it("shows the next decision's own change after an answer, and writes that alone", async () => {
		const apply = vi.fn(() =>
			Promise.resolve({ stays: [], touched: () => NOTE, undo: () => Promise.resolve(true) }),
		);
		host.applyChanges = apply;
		await view.load();
		await shown();
		const preview = daemon.answers.get("POST /v1/review/preview");
		let show = (): void => undefined;
		const asked = new Promise<void>((resolve) => (show = resolve));
		daemon.on("POST /v1/review/preview", (ask) => asked.then(() => preview?.(ask)));
		await press("y");
		expect(texts(".sj-diff")).toEqual([]);
		await press("y");
		expect(apply).toHaveBeenCalledOnce();
		show();
		await vi.waitFor(() => expect(texts(".sj-diff-note")).toEqual(["Birds/Heron 1.md"]));
		await press("y");
		expect(apply).toHaveBeenLastCalledWith(expect.objectContaining({ changes: [change("Birds/Heron 1.md")] }));
	});

	it("leaves to the command what changes a note of another vault, too", async () => {
		const apply = vi.fn(() => Promise.resolve(null));
		host.applyChanges = apply;
		const path = "Birds/Heron 0.md";
		daemon.on("POST /v1/review/preview", (): PreviewReply => ({
			changes: [change(path), { ...change(path), vault: "Work" }],
			files: [{ vault: "Notes", path, to: path, diff: "@@ -3 +3 @@\n-weir\n+[[Weir]]\n", digest: "00" }],
			refused: "",
		}));
		await view.load();
		await shown();
		await press("y");
		expect(apply).not.toHaveBeenCalled();
		expect(answers()).toEqual([{ profile: "home", key: "aa", answer: "yes", chosen: ["w"] }]);
	});

	it("writes nothing that was not shown before", async () => {
		const apply = vi.fn(() =>
			Promise.resolve({ stays: [], touched: () => NOTE, undo: () => Promise.resolve(true) }),
		);
		host.applyChanges = apply;
		await view.load();
		await press("y");
		expect([apply.mock.calls.length, answers()]).toEqual([0, []]);
		await shown();
		await press("y");
		expect(apply).toHaveBeenCalledOnce();
	});

	it("leaves a decision open where the note is not what it was, or the change is refused", async () => {
		host.applyChanges = () => Promise.resolve(null);
		await view.load();
		await shown();
		await press("y");
		daemon.on("POST /v1/review/preview", (): PreviewReply => ({
			changes: [],
			files: [],
			refused: "It has changed.",
		}));
		await press("2");
		await vi.waitFor(() => expect(texts(".sj-review-diff")).toEqual(["This can't be written: It has changed."]));
		await press("y");
		expect([answers(), host.said.length]).toEqual([[], 2]);
	});

	it("says what stays where a note changed in the very moment, leaves the decision open, and takes back what stays", async () => {
		const undo = vi.fn(() => Promise.resolve(true));
		host.applyChanges = () => Promise.resolve({ stays: NOTE, touched: () => NOTE, undo });
		await view.load();
		await shown();
		await press("y");
		expect([answers(), host.said.length, host.said.join()]).toEqual([
			[],
			1,
			expect.stringContaining("Birds/Heron 0.md"),
		]);
		await press("u");
		expect(undo).toHaveBeenCalledOnce();
	});

	it("writes no note that was excluded after it was shown", async () => {
		const apply = vi.fn(() => Promise.resolve(null));
		host.applyChanges = apply;
		await view.load();
		await shown();
		excluded = NOTE;
		await press("y");
		expect([apply.mock.calls.length, answers(), host.said]).toEqual([
			0,
			[],
			[expect.stringContaining("Birds/Heron 0.md may not be read now")],
		]);
	});

	it.each([
		["a note was excluded since", () => (excluded = NOTE), "Birds/Heron 0.md may not be read now"],
		["the daemon can't be asked", () => (daemon.isAway = true), "does not answer"],
	])("takes nothing back where %s, and can once that is over", async (_, happens, said) => {
		const undo = vi.fn(() => Promise.resolve(true));
		host.applyChanges = () => Promise.resolve({ stays: [], touched: () => NOTE, undo });
		await view.load();
		await shown();
		await press("y");
		happens();
		await press("u");
		expect([undo.mock.calls.length, host.said]).toEqual([0, [expect.stringContaining(said)]]);
		expect(answers()).toHaveLength(1);
		excluded = [];
		daemon.isAway = false;
		await press("u");
		expect(undo).toHaveBeenCalledOnce();
		expect(answers().at(-1)).toMatchObject({ answer: "open" });
	});

	it("are looked at again where what they would change could not be asked", async () => {
		const written: string[] = [];
		host.applyChanges = ({ changes }) => {
			written.push(...changes.map(({ path }) => path));
			return Promise.resolve({ stays: [], touched: () => NOTE, undo: () => Promise.resolve(true) });
		};
		await view.load();
		await shown();
		daemon.isAway = true;
		await press("2");
		await vi.waitFor(() => expect(texts(".sj-review-diff").join()).toContain("can't be written"));
		daemon.isAway = false;
		await press("y");
		await shown();
		expect(written).toEqual([]);
		await press("y");
		expect(written).toEqual(["Birds/Heron 0.md"]);
	});
});
