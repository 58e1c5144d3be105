import { describe, expect, it } from "vitest";
import { addressOf, readAddress } from "../../src/host/page/address";
import { Navigation } from "../../src/host/page/navigation";
import { readSearchAddress, type SearchAddress } from "../../src/panel/search/scopeBar";

const NEW: SearchAddress = { query: "", profiles: undefined, mode: "hybrid", sort: "relevance" };

describe("the page's addresses", () => {
	it.each<[name: string, search: Partial<SearchAddress>, address: string]>([
		["a new search", {}, "#/search"],
		["a query", { query: "sour dough" }, "#/search?q=sour+dough"],
		[
			"signs that mean something in addresses",
			{ query: "a&b=c #d?e 100% +" },
			"#/search?q=a%26b%3Dc+%23d%3Fe+100%25+%2B",
		],
		[
			"letters of all scripts",
			{ query: "動的計画法 é 🧠" },
			`#/search?q=${new URLSearchParams({ q: "動的計画法 é 🧠" }).toString().slice(2)}`,
		],
		[
			"profiles, mode and order",
			{ query: "x", profiles: ["Work", "at home"], mode: "lexical", sort: "-modified" },
			"#/search?q=x&profile=Work&profile=at+home&mode=lexical&sort=-modified",
		],
	])("say %s, and are read as they were written", (_, change, address) => {
		const search = { ...NEW, ...change };
		expect(addressOf("search", search)).toBe(address);
		expect(readAddress(address)).toEqual({ screen: "search", search });
	});

	it.each([
		["", "", NEW],
		["#status", "status", NEW],
		["#/credentials", "credentials", NEW],
		["#/search?mode=fast&sort=none&other=1", "search", NEW],
		["#/search?q=a?b", "search", { ...NEW, query: "a?b" }],
	])("%s is understood, whatever it lacks or has too much", (hash, screen, search) =>
		expect(readAddress(hash)).toEqual({ screen, search }),
	);

	it.each(["modified", "created", "path"])(
		"by an order that is not chosen behind the list, %s, have it in the query",
		(sort) => {
			const search = { ...NEW, query: `sort:${sort} "sour dough` };
			expect(readAddress(`#/search?q=%22sour+dough&sort=${sort}`).search).toEqual(search);
			expect(readSearchAddress({ query: '"sour dough', sort }, NEW)).toEqual(search);
			expect(readAddress(`#/search?sort=${sort}`).search).toEqual(NEW);
		},
	);
});

describe("the page's steps", () => {
	/** Types queries at these times, and tells how many steps back there are after each, and the title. */
	const walk = (
		typed: readonly (readonly [query: string, at: number, screen?: string])[],
	): { steps: number[]; titles: string[] } => {
		let now = 0;
		let shown = "search";
		let search = NEW;
		const steps: string[] = [];
		const location = { hash: "" };
		const history = {
			replaceState: (_: unknown, __: string, hash: string): void => void (location.hash = hash),
			pushState: (_: unknown, __: string, hash: string): void => {
				steps.push(location.hash);
				location.hash = hash;
			},
		};
		const window = {
			location,
			history,
			document: { title: "" },
			addEventListener: () => undefined,
		} as unknown as Window;
		const navigation = new Navigation({
			window,
			current: () => ({ screen: shown, search }),
			titleOf: () => "Search",
			show: () => undefined,
			now: () => now,
		});
		navigation.open();
		const titles: string[] = [];
		const counts = typed.map(([query, at, screen = "search"]) => {
			shown = screen;
			search = { ...NEW, query };
			now = at;
			navigation.moved();
			titles.push(window.document.title);
			return steps.length;
		});
		return { steps: counts, titles };
	};

	it.each<[name: string, typed: [query: string, at: number, screen?: string][], steps: number[]]>([
		[
			"what is typed as soon as the screen is there",
			[
				["", 0, "status"],
				["", 100],
				["l", 200],
				["la", 300],
			],
			[1, 2, 3, 3],
		],
		[
			"letters that follow one another",
			[
				["l", 0],
				["la", 100],
				["lam", 200],
				["lamp", 300],
			],
			[1, 1, 1, 1],
		],
		[
			"letters taken back",
			[
				["lamp", 0],
				["lam", 100],
				["la", 200],
			],
			[1, 1, 1],
		],
		[
			"a pause",
			[
				["lamp", 0],
				["lamp oil", 1_500],
			],
			[1, 2],
		],
		[
			"another query at once",
			[
				["lamp", 0],
				["bread", 100],
			],
			[1, 2],
		],
		[
			"the same again",
			[
				["lamp", 0],
				["lamp", 5_000],
			],
			[1, 1],
		],
	])("%s", (_, typed, steps) => expect(walk(typed).steps).toEqual(steps));

	it("have a title that tells the screen, and nothing of what was searched for", () => {
		expect(
			walk([
				["a diagnosis", 0],
				["", 5_000],
			]).titles,
		).toEqual(["Search – Scrubjay", "Search – Scrubjay"]);
	});
});
