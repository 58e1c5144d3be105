import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../../src/api/client";
import { BLOCK_PAUSE_MS, QueryBlock } from "../../../src/panel/block/queryBlock";
import { FakeDaemon, Refused, response, result } from "../../helpers/fakeDaemon";
import { RecordingHost } from "../../helpers/recordingHost";

describe("the notes that a block asks for", () => {
	let daemon: FakeDaemon;
	let host: RecordingHost;
	let searched: string[];
	let block: QueryBlock;

	const show = async (source: string): Promise<HTMLElement> => {
		block = new QueryBlock(source, {
			client: () => new Client(daemon),
			host,
			path: "Home.md",
			search: (query) => searched.push(query),
			isInSight: () => block.element.isConnected,
		});
		document.body.append(block.element);
		block.refresh();
		await vi.advanceTimersByTimeAsync(0);
		return block.element;
	};
	const later = (): Promise<unknown> => vi.advanceTimersByTimeAsync(BLOCK_PAUSE_MS);
	const texts = (selector: string): string[] =>
		[...block.element.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");
	const click = (selector: string): void => block.element.querySelector<HTMLElement>(selector)?.click();

	beforeEach(() => {
		vi.useFakeTimers({ now: new Date("2026-03-04T12:00:00Z") });
		daemon = new FakeDaemon().on("POST /v1/search", () =>
			response([result(), result({ path: "Oven.md", title: "Oven" })], { total_notes: 7 }),
		);
		host = new RecordingHost();
		searched = [];
	});
	afterEach(() => {
		block.dispose();
		document.body.replaceChildren();
		vi.useRealTimers();
	});

	it.each([
		["list", ".sj-block-list li", ["Bread Kitchen", "Oven "]],
		[
			"cards",
			".sj-block-cards li",
			[
				"BreadKitchen · last SundayA wetter dough ferments faster.",
				"Ovenlast SundayA wetter dough ferments faster.",
			],
		],
		["table", ".sj-block-table tr", ["NoteFolderChanged", "BreadKitchenlast Sunday", "Ovenlast Sunday"]],
		["count", "li, tr", []],
	])("are shown as %s, with how many there are", async (view, selector, rows) => {
		await show(`dough\nview: ${view}`);
		expect(texts(selector)).toEqual(rows);
		expect(texts(".sj-block-foot span")).toEqual([view === "count" ? "7 notes" : "2 of 7 notes"]);
	});

	it("are asked for without their own note, and not remembered", async () => {
		await show("dough\nlimit: 3");
		expect(daemon.searches).toEqual([{ query: 'dough -path:"Home.md"', limit: 3, group: "note", remember: false }]);
	});

	it("open at the match, elsewhere with the keys for that, and lead to the search", async () => {
		await show("dough");
		click(".sj-block-link");
		block.element
			.querySelector(".sj-block-link")
			?.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }));
		click(".sj-block-search");
		expect([host.opened, host.lines, searched]).toEqual([
			[
				["Bread", "here"],
				["Bread", "tab"],
			],
			[7, 7],
			["dough"],
		]);
	});

	it("say what is wrong with the block, and ask nothing", async () => {
		await show("view: map");
		await later();
		expect(texts(".sj-block-note")).toEqual([
			"Write what to search for: query: tag:project",
			"view: takes list, cards, table, count, not “map”.",
		]);
		expect(daemon.asked).toEqual([]);
	});

	it("are renewed when the index changes, once in a while, by one request at a time", async () => {
		let answer: (() => void) | undefined;
		await show("dough");
		daemon.on(
			"POST /v1/search",
			() => new Promise((resolve) => (answer = () => resolve(response([result({ title: "Rolls" })])))),
		);
		for (let change = 0; change < 20; change += 1) block.refresh();
		await vi.advanceTimersByTimeAsync(BLOCK_PAUSE_MS - 1);
		expect(daemon.searches).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(1);
		expect(daemon.searches).toHaveLength(2);
		block.refresh();
		await later();
		expect(daemon.searches).toHaveLength(2);
		answer?.();
		await later();
		expect(texts(".sj-block-link")).toEqual(["Rolls"]);
		expect(daemon.searches).toHaveLength(3);
	});

	it("are not asked for out of sight, and renewed once they are in sight again", async () => {
		await show("dough");
		block.element.remove();
		block.refresh();
		await later();
		expect(daemon.searches).toHaveLength(1);
		document.body.append(block.element);
		block.look();
		await vi.advanceTimersByTimeAsync(0);
		expect(daemon.searches).toHaveLength(2);
		block.look();
		await later();
		expect(daemon.searches).toHaveLength(2);
	});

	it("stay in sight while the daemon is away", async () => {
		await show("dough");
		daemon.isAway = true;
		block.refresh();
		await later();
		expect([texts(".sj-block-link"), texts(".sj-block-note")]).toEqual([
			["Bread", "Oven"],
			["Scrubjay does not answer. What is shown here is renewed when it is back."],
		]);
		daemon.isAway = false;
		block.refresh();
		await later();
		expect(texts(".sj-block-note")).toEqual([]);
	});

	it.each([
		[
			"a profile is locked",
			(): unknown => response([], { unanswered: [{ profile: "work", code: "locked", reason: "It is locked." }] }),
			"work did not answer. It is locked.",
		],
		[
			"the vault is not paired",
			(): unknown => new Refused(401, { code: "unauthenticated" }),
			"Scrubjay runs, but it does not know this vault yet.",
		],
		[
			"no vault may be searched",
			(): unknown => new Refused(409, { code: "no-profiles" }),
			"No vault was chosen that may be searched here.",
		],
		[
			"the query is refused",
			(): unknown => new Refused(400, { detail: "The query is too long." }),
			"The query is too long.",
		],
	])("say so where %s", async (_, answer, words) => {
		daemon.on("POST /v1/search", answer);
		await show("dough");
		expect(texts(".sj-block-note")).toEqual([words]);
	});

	it("are left alone while the same is found: the focus stays where it is", async () => {
		await show("dough");
		const link = block.element.querySelector<HTMLElement>(".sj-block-link");
		block.refresh();
		await later();
		expect(block.element.querySelector(".sj-block-link")).toBe(link);
		link?.focus();
		daemon.on("POST /v1/search", () => response([result({ path: "New.md", title: "New" }), result()]));
		block.refresh();
		await later();
		expect(document.activeElement?.textContent).toBe("Bread");
	});

	it("say that no note fits", async () => {
		daemon.on("POST /v1/search", () => response([]));
		await show("dough");
		expect(texts(".sj-block-foot span")).toEqual(["No note fits"]);
	});
});
