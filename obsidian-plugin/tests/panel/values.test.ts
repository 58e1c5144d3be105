import { afterEach, describe, expect, it } from "vitest";
import { highlightedTexts, obsidianUri, placeOf, type Storage } from "../../src/panel/host";
import { byNote } from "../../src/panel/credentials/worklist";
import { outermostFolders } from "../../src/panel/shared/workList";
import { speak } from "../../src/words/say";
import { EN, TABLES } from "../helpers/tables";
import { detailOf } from "../../src/panel/results/explain";
import { emptyRows, isSelectable, resultRows } from "../../src/panel/results/rows";
import { QueryHistory } from "../../src/panel/search/box/history";
import { DEFAULT_SETTINGS, readSettings } from "../../src/panel/settings";
import { note, result } from "../helpers/fakeDaemon";

class MapStorage implements Storage {
	readonly values = new Map<string, unknown>();
	read(key: string): unknown {
		return this.values.get(key) ?? null;
	}
	write(key: string, value: unknown): void {
		this.values.set(key, value);
	}
}

describe("settings as they were saved", () => {
	it.each<[name: string, saved: unknown, want: object]>([
		["nothing", null, DEFAULT_SETTINGS],
		["no object", "text", DEFAULT_SETTINGS],
		["wrong types", { mode: 3, limit: "20", asYouType: "no" }, DEFAULT_SETTINGS],
		["out of range", { mode: "fuzzy", limit: 9_999 }, DEFAULT_SETTINGS],
		[
			"some good",
			{ mode: "lexical", limit: 30, keepHistory: false },
			{ ...DEFAULT_SETTINGS, mode: "lexical", limit: 30, keepHistory: false },
		],
	])("%s", (_, saved, want) => {
		expect(readSettings(saved)).toEqual(want);
	});
});

describe("query history", () => {
	it("keeps the newest first, each once, and walks both ways", () => {
		const history = new QueryHistory(new MapStorage(), () => true);
		for (const query of ["one", "two", " one ", ""]) history.add(query);
		expect(history.list()).toEqual(["one", "two"]);
		expect(history.neighbour("", 1)).toBe("one");
		expect(history.neighbour("one", 1)).toBe("two");
		expect(history.neighbour("two", 1)).toBeNull();
		expect(history.neighbour("two", -1)).toBe("one");
		history.clear();
		expect(history.list()).toEqual([]);
	});

	it("keeps nothing when it must not, and survives a damaged value", () => {
		const storage = new MapStorage();
		new QueryHistory(storage, () => false).add("secret");
		expect(storage.values.size).toBe(0);
		storage.write("query-history", { not: "a list" });
		expect(new QueryHistory(storage, () => true).list()).toEqual([]);
	});
});

describe("rows", () => {
	it("puts unfolded passages below their note and leaves headings out of the selection", () => {
		const first = result();
		const rows = resultRows(
			[first, result({ path: "Other.md" })],
			{
				passages: new Map([["home\nNotes\nKitchen/Bread.md", [result({ id: "ffff", line: 20 })]]]),
				explained: new Map([["home\nNotes\nOther.md", "words" as const]]),
			},
			"BREAD",
		);
		expect(rows.map((row) => row.kind === "result" && row.isNamed)).toEqual([true, false, true]);
		expect(rows.map(({ kind }) => kind)).toEqual(["result", "passage", "result"]);
		expect(rows[0]).toMatchObject({ unfolded: true, explained: null });
		expect(rows[2]).toMatchObject({ unfolded: false, explained: "words" });
		expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
	});

	it("offers queries and notes in sections, without empty ones", () => {
		const rows = emptyRows([{ name: "Daily", query: "flour" }], ["bread", "flour"], [], [note()]);
		expect(rows.map((row) => (row.kind === "section" ? row.label : row.kind))).toEqual([
			"Named searches",
			"query",
			"Recent searches",
			"query",
			"Recently changed",
			"note",
		]);
		expect(rows.filter(isSelectable)).toHaveLength(3);
	});

	it("offers a note as related rather than as recent, and not twice", () => {
		const rows = emptyRows([], [], [note()], [note(), note({ path: "Bees.md" }), note({ vault: "Other" })]);
		expect(rows.map((row) => (row.kind === "note" ? `${row.note.vault}/${row.note.path}` : row.key))).toEqual([
			"Related to this note",
			"Notes/Garden.md",
			"Recently changed",
			"Notes/Bees.md",
			"Other/Garden.md",
		]);
		expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
	});
});

describe("places", () => {
	it("opens in the vault that holds it, at the heading, with every sign escaped", () => {
		expect(obsidianUri({ vault: "My vault", path: "A & B/C#.md", headings: ["Top", "Sub/heading"] })).toBe(
			"obsidian://open?vault=My%20vault&file=A%20%26%20B%2FC%23%23Sub%2Fheading",
		);
	});

	it("leaves no parenthesis that would end a link written around it", () => {
		expect(obsidianUri({ vault: "Notes (old)", path: "Foo (draft.md" })).toBe(
			"obsidian://open?vault=Notes%20%28old%29&file=Foo%20%28draft",
		);
	});

	it("remembers what was highlighted, by code points", () => {
		const found = result({
			snippet: "😀 dough and Dough and dough",
			highlights: [
				[2, 7],
				[12, 17],
				[22, 27],
			],
		});
		expect(highlightedTexts(found)).toEqual(["dough", "Dough"]);
		expect(placeOf(found)).toMatchObject({ vault: "Notes", line: 7, matches: ["dough", "Dough"] });
	});
});

describe("credentials", () => {
	afterEach(() => speak("en", EN));
	const at = (path: string, line: number): Parameters<typeof byNote>[0][number] => ({
		profile: "home",
		vault: "Notes",
		path,
		line,
		column: 1,
		rule: "r",
		about: "Password",
		standing: "open",
		place: "",
	});
	it("are grouped by note, in the order of their lines", () => {
		const notes = byNote([at("b.md", 9), at("a.md", 3), at("b.md", 2)]);
		expect(notes.map(({ path, found }) => [path, found.map(({ line }) => line)])).toEqual([
			["a.md", [3]],
			["b.md", [2, 9]],
		]);
	});

	it.each([
		["en", ["nz.md", "ñu.md", "note 9.md", "note 10.md"], ["note 9.md", "note 10.md", "ñu.md", "nz.md"]],
		["es", ["ñu.md", "nz.md", "note 9.md", "note 10.md"], ["note 9.md", "note 10.md", "nz.md", "ñu.md"]],
		["zh", ["波.md", "重庆.md", "阿.md"], ["阿.md", "波.md", "重庆.md"]],
		["ja", ["波.md", "阿.md", "いぬ.md", "アリ.md"], ["アリ.md", "いぬ.md", "阿.md", "波.md"]],
	] as const)("are in the alphabetical order of the language that is spoken (%s)", (language, paths, inOrder) => {
		speak(language, TABLES[language]);
		expect(byNote(paths.map((path) => at(path, 1))).map(({ path }) => path)).toEqual(inOrder);
		expect(outermostFolders(paths.map((path) => `${path}/x.md`))).toEqual(inOrder);
	});
});

describe("reasons", () => {
	it("says the place and the measure of each leg", () => {
		expect(detailOf({ signal: "semantic", points: 0.5, rank: 2, raw: 0.4123 })).toBe("place 2 · distance 0.412");
		expect(detailOf({ signal: "lexical", points: 0.5, rank: 1, raw: -7.25 })).toBe("place 1 · BM25 7.3");
		expect(detailOf({ signal: "lexical", points: 0, rank: null, raw: null })).toBe("not found by these");
		expect(detailOf({ signal: "neighbours", points: -0.1, rank: null, raw: null })).toBe("");
	});
});
