import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import type { NoteReply } from "../../src/api/wire";
import type { MarkdownDrawer, Place } from "../../src/panel/host";
import { partBelow } from "../../src/panel/notes/embeds";
import { drawText } from "../../src/panel/notes/noteText";
import { PanelDrawer } from "../../src/panel/notes/panelDrawer";
import { Reader } from "../../src/panel/notes/reader";
import { h } from "../../src/panel/shared/dom";
import { FakeDaemon } from "../helpers/fakeDaemon";

const passage = (line: number, text: string, headings: string[] = ["Bread"]): NoteReply["passages"][number] => ({
	id: `${line}`.padStart(12, "0"),
	headings,
	line,
	text,
	place: "",
});
const noteOf = (...passages: NoteReply["passages"]): NoteReply => ({
	profile: "home",
	vault: "Notes",
	path: "Bread.md",
	title: "Bread",
	kind: "note",
	tags: [],
	modified: "2026-03-01T12:00:00Z",
	redactions: 0,
	passages,
	links: [],
});
const PLACE: Place = {
	indexed: { id: "000000000007", profile: "home" },
	vault: "Notes",
	path: "Bread.md",
	title: "Bread",
	line: 7,
	matches: ["dough", "ferments"],
};

describe("the reader", () => {
	let daemon: FakeDaemon;
	let reader: Reader;
	let drawer: ((place: Place) => MarkdownDrawer) | undefined;

	const show = async (place: Place): Promise<void> => {
		reader = new Reader({
			client: () => new Client(daemon),
			action: { label: "Open", act: () => undefined },
			drawer: drawer ?? ((): MarkdownDrawer => new PanelDrawer(() => new Client(daemon), "home")),
		});
		document.body.replaceChildren(reader.element);
		reader.show(place);
		await vi.waitFor(() => expect(reader.element.querySelector("h2")?.textContent).toBe(place.title));
	};
	const texts = (selector: string): string[] =>
		[...reader.element.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");
	const press = (shiftKey = false): boolean =>
		reader.element.dispatchEvent(new KeyboardEvent("keydown", { key: "F3", shiftKey, cancelable: true }));

	beforeEach(() => {
		drawer = undefined;
		daemon = new FakeDaemon().on("GET /v1/notes/000000000007", () =>
			noteOf(
				passage(3, "No dough here."),
				passage(7, "Some dough. A wetter dough ferments faster."),
				passage(12, "It ferments."),
			),
		);
	});
	afterEach(() => {
		reader.dispose();
		document.body.replaceChildren();
	});
	it("offers to open a note only where its vault is on this computer", async () => {
		await show(PLACE);
		expect(texts(".sj-button-main")).toEqual(["Open"]);
		reader.dispose();
		await show({ ...PLACE, isElsewhere: true });
		expect(texts(".sj-button-main")).toEqual([]);
	});

	it.each([
		["the sentence that matched, whatever the heading", { ...PLACE, headings: ["Rye"] }, "A wetter "],
		["the heading that a link named", { ...PLACE, line: 1, matches: [], headings: ["rye"] }, "RyeIt rises."],
		[
			"the beginning where the note has no such heading",
			{ ...PLACE, line: 1, matches: [], headings: ["Oats"] },
			null,
		],
		["the beginning where none is named", { ...PLACE, line: 1, matches: [] }, null],
	])("begins at %s", async (_, place, text) => {
		const note = noteOf(
			passage(3, "No heading.", []),
			passage(7, "A wetter dough ferments faster."),
			passage(12, "It rises.", ["Bread", "Rye"]),
		);
		const drawn = await drawText(note, place, {
			drawer: new PanelDrawer(() => new Client(daemon), "home"),
			picture: () => false,
		});
		expect(drawn.target?.textContent ?? null).toBe(text);
	});

	it("marks what matched in the whole note, and the sentence that matched best", async () => {
		await show(PLACE);
		expect(texts("mark")).toEqual(["dough", "dough", "dough", "ferments", "ferments"]);
		expect(texts(".sj-sentence").join("")).toBe("A wetter dough ferments faster.");
		expect(texts(".is-match")).toEqual(["Some dough. A wetter dough ferments faster."]);
	});

	it("goes through the matches with F3, from the sentence on, round and back", async () => {
		await show(PLACE);
		const seen: string[] = [];
		for (const back of [false, false, false, false, true]) {
			expect(press(back)).toBe(false);
			seen.push(texts(".sj-reader-steps [role=status]").join());
		}
		expect(seen).toEqual(["Match 3 of 5", "Match 4 of 5", "Match 5 of 5", "Match 1 of 5", "Match 5 of 5"]);
		expect(texts("mark.is-here")).toEqual(["ferments"]);
	});

	it.each([
		["what matched is the same", PLACE.matches, "Match 3 of 5", "Match 4 of 5"],
		["more of its words match", ["dough", "ferments", "here", "wetter"], "Match 5 of 7", "Match 6 of 7"],
		["that match is none any more", ["ferments"], "", "Match 2 of 2"],
	])("stays at the match it is at when a better answer comes and %s", async (_, matches = [], at, after) => {
		await show(PLACE);
		press();
		reader.show({ ...PLACE, matches, headings: ["Bread"], line: 12 }, true);
		await vi.waitFor(() => expect(texts(".is-match")).toEqual(["It ferments."]));
		const seen = [texts(".sj-reader-steps [role=status]").join(), texts("mark.is-here").join()];
		press();
		expect([...seen, texts(".sj-reader-steps [role=status]").join()]).toEqual([
			at,
			at === "" ? "" : "dough",
			after,
		]);
	});

	it("leaves F3 alone where nothing matched", async () => {
		await show({ ...PLACE, matches: [] });
		expect([press(), texts(".sj-reader-steps")]).toEqual([true, []]);
	});

	it("shows embedded notes, or the part that is named, and keeps the name of those that it does not find", async () => {
		daemon.on("GET /v1/notes/000000000007", () => noteOf(passage(7, "![[Flour#Rye]] and ![[Nowhere]]")));
		daemon.on("POST /v1/read", ({ body }) => ({
			notes:
				(body as { notes: string[] }).notes[0] === "Flour"
					? [{ passages: [passage(1, "All.", ["Flour"]), passage(4, "Rye is dark.", ["Flour", "Rye"])] }]
					: [],
			missing: [],
			unread: [],
		}));
		await show(PLACE);
		await vi.waitFor(() => expect(texts(".sj-embed")).toEqual(["Flour › RyeRye is dark.", "Nowhere"]));
	});

	it.each([
		[
			"the passages that say so",
			[
				{ headings: ["A"], text: "one" },
				{ headings: ["A", "B"], text: "two" },
			],
			"B",
			["two"],
		],
		[
			"what stands below it in a passage",
			[{ headings: ["A"], text: "one\n## B\ntwo\n### C\nthree\n## D\nfour" }],
			"B",
			["two\n### C\nthree"],
		],
		["all, where no heading is called so", [{ headings: ["A"], text: "one" }], "B", ["one"]],
		["all, where none is named", [{ headings: ["A"], text: "one" }], undefined, ["one"]],
	])("takes of an embedded note %s", (_, passages, heading, texts) => {
		expect(partBelow(passages, heading)).toEqual(texts);
	});

	it("draws as the host does where it can, marks it all the same, and lets it go with the next note", async () => {
		const released: string[] = [];
		drawer = ({ title }) => ({
			draw: (text, into) => {
				into.append(h("p", { text: `${text} (${title})` }));
				return Promise.resolve();
			},
			release: () => released.push(title),
		});
		await show(PLACE);
		expect([texts("p").at(-1), texts("mark").length, released]).toEqual(["It ferments. (Bread)", 5, []]);
		daemon.on("GET /v1/notes/000000000009", () => noteOf(passage(1, "Rye.")));
		reader.show({ ...PLACE, title: "Rye", path: "Rye.md", indexed: { id: "000000000009", profile: "home" } });
		await vi.waitFor(() => expect(texts("h2")).toEqual(["Rye"]));
		expect(released).toEqual(["Bread"]);
	});

	it.each([
		["Flour#Rye", ["Flour"]],
		["Flour.md", ["Baking/Flour.md", "Flour.md"]],
		["../Flour.md#Rye", ["Flour.md"]],
		["/Mills/Flour.md", ["Mills/Flour.md"]],
	])("follows links as the host draws them: %s", async (link, names) => {
		drawer = () => ({
			draw: (_, into) =>
				Promise.resolve(
					into.append(
						h("a", { class: "internal-link", text: "flour", attrs: { "data-href": link, href: "Flour" } }),
					),
				),
			release: () => undefined,
		});
		const asked: unknown[] = [];
		daemon.on("POST /v1/read", ({ body }) => {
			asked.push((body as { notes: string[] }).notes);
			return {
				notes: [
					{
						id: "000000000007",
						profile: "home",
						vault: "Notes",
						path: "Flour.md",
						title: "Flour",
						modified: "",
						passages: [],
					},
				],
				missing: [],
				unread: [],
			};
		});
		await show({ ...PLACE, path: "Baking/Bread.md" });
		reader.element.querySelector<HTMLElement>("a.internal-link")?.click();
		await vi.waitFor(() => expect(texts("h2")).toEqual(["Flour"]));
		expect(asked).toEqual([names]);
		reader.element.querySelector<HTMLElement>(".sj-reader-back")?.click();
		await vi.waitFor(() => expect(texts("h2")).toEqual(["Bread"]));
	});
});
