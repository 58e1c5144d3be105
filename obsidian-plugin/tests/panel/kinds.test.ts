import { describe, expect, it } from "vitest";
import { Client } from "../../src/api/client";
import { obsidianUri, placeOf } from "../../src/panel/host";
import { PanelDrawer } from "../../src/panel/notes/panelDrawer";
import { Reader } from "../../src/panel/notes/reader";
import { drawRow } from "../../src/panel/results/card";
import { FacetBar } from "../../src/panel/search/facetBar";
import { tokenAt } from "../../src/panel/search/box/completion";
import { iconOf, kindWords, placeWords } from "../../src/panel/shared/kinds";
import { FakeDaemon, Refused, response, result } from "../helpers/fakeDaemon";

const INVOICE = result({
	path: "Bills/invoice.pdf",
	title: "invoice.pdf",
	headings: [],
	kind: "pdf",
	place: "3",
	line: 41,
	snippet: "The sum is due.",
	highlights: [[4, 7]],
});

describe("places in files that are no notes", () => {
	it.each([
		["pdf", "3", "page 3"],
		["slides", "4", "slide 4"],
		["sheet", "Budget", "sheet Budget"],
		["canvas", "a1b2c3", "card"],
		["pdf", "metadata", "metadata"],
		["note", "", ""],
		["hologram", "7", "7"],
	])("%s %s is told as %s", (kind, place, words) => {
		expect(placeWords(kind, place)).toBe(words);
	});

	it("are opened at the page, or as a whole", () => {
		expect(obsidianUri(placeOf(INVOICE))).toBe("obsidian://open?vault=Notes&file=Bills%2Finvoice.pdf%23page%3D3");
		expect(obsidianUri(placeOf({ ...INVOICE, kind: "sheet", place: "Budget", path: "sums.xlsx" }))).toBe(
			"obsidian://open?vault=Notes&file=sums.xlsx",
		);
	});

	it("have an icon, even of a kind that is not known yet", () => {
		expect([iconOf("image"), iconOf("hologram"), iconOf("note"), kindWords("hologram"), kindWords("pdf")]).toEqual([
			"picture",
			"document",
			"note",
			"hologram",
			"PDF",
		]);
	});
});

describe("a result in a PDF", () => {
	const context = {
		now: new Date("2026-03-02T12:00:00Z"),
		colours: new Map(),
		showProfile: false,
		actions: { unfold: () => undefined, explain: () => undefined },
	};
	const drawn = (kind: "result" | "passage", found = INVOICE): HTMLElement =>
		drawRow({ kind, key: "a", result: found, unfolded: false, explained: null, isNamed: false }, context);

	it("is called with its page, behind an icon", () => {
		expect(drawn("result").querySelector(".sj-title")?.textContent).toBe("invoice.pdf · page 3");
		expect(drawn("result").querySelector(".sj-kind")).not.toBeNull();
		expect(drawn("passage").querySelector(".sj-line-number")?.textContent).toBe("page 3");
	});

	it("leaves a note as it was", () => {
		expect(drawn("result", result()).querySelector(".sj-title")?.textContent).toBe("Bread");
		expect(drawn("result", result()).querySelector(".sj-kind")).toBeNull();
	});
});

describe("the reader of a PDF", () => {
	const passages = [
		{ id: "0f0f0f0f0f0f", headings: [], line: 1, text: "# no heading", place: "2" },
		{ id: "a1b2c3d4e5f6", headings: [], line: 41, text: "The sum is due.", place: "3" },
	];
	const shown = async (page: unknown): Promise<HTMLElement> => {
		const note = {
			profile: "home",
			vault: "Notes",
			path: INVOICE.path,
			title: INVOICE.title,
			tags: [],
			modified: INVOICE.modified,
			redactions: 0,
			passages,
			links: [],
			kind: "pdf",
		};
		const daemon = new FakeDaemon()
			.on(`GET /v1/notes/${INVOICE.id}`, () => note)
			.on(`GET /v1/notes/${INVOICE.id}/page`, () => page);
		const reader = new Reader({
			client: () => new Client(daemon),
			action: { label: "Open", act: () => undefined },
			drawer: () => new PanelDrawer(() => new Client(daemon), "home"),
		});
		reader.show(placeOf(INVOICE));
		await expect.poll(() => reader.element.querySelectorAll(".sj-reader-passage").length).toBe(2);
		return reader.element;
	};

	it("tells each page, and shows the text as it stands with what was found marked", async () => {
		const reader = await shown(null);
		expect([...reader.querySelectorAll(".sj-reader-spot")].map((each) => each.textContent)).toEqual([
			"page 2",
			"page 3",
		]);
		expect(reader.querySelector(".sj-reader-plain")?.textContent).toBe("# no heading");
		expect(reader.querySelector(".is-match mark")?.textContent).toBe("sum");
	});

	it("shows the page as a picture when asked", async () => {
		const reader = await shown({ page: 3, png: "iVBORw0KGgo=" });
		reader.querySelector<HTMLElement>(".sj-reader-picture button")?.click();
		await expect
			.poll(() => reader.querySelector("img")?.getAttribute("src"))
			.toBe("data:image/png;base64,iVBORw0KGgo=");
	});

	it("says where there is none", async () => {
		const reader = await shown(
			new Refused(404, { status: 404, code: "no-picture", detail: "A credential is hidden on this page." }),
		);
		reader.querySelector<HTMLElement>(".sj-reader-picture button")?.click();
		await expect
			.poll(() => reader.querySelector(".sj-reader-picture p")?.textContent)
			.toMatch(/^There is no picture/);
	});
});

describe("kinds of files", () => {
	it("narrow a search down", () => {
		const asked: string[] = [];
		const bar = new FacetBar({
			onQuery: (change) => asked.push(change("dough")),
			onProfiles: () => undefined,
			colourOf: () => null,
		});
		bar.show(
			{ query: "dough", profiles: undefined },
			response([INVOICE], {
				total_notes: 9,
				facets: [
					{
						name: "kind",
						values: [
							{ value: "note", count: 6 },
							{ value: "pdf", count: 2 },
						],
					},
				],
			}),
		);
		for (const chip of bar.element.querySelectorAll("button")) chip.click();
		expect(asked).toEqual(["dough kind:note", "dough kind:pdf"]);
	});

	it("complete", () => {
		expect(tokenAt("dough kind:sl", 13)?.fixed.map(({ value }) => value)).toEqual(["slides"]);
	});
});
