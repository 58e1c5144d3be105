import { beforeEach, describe, expect, it } from "vitest";
import { FacetBar } from "../../src/panel/search/facetBar";
import { response, result } from "../helpers/fakeDaemon";

const COUNTED = response([result()], {
	total_notes: 9,
	facets: [
		{
			name: "folder",
			values: [
				{ value: "All of it", count: 9 },
				{ value: "My notes", count: 4 },
			],
		},
		{
			name: "tag",
			values: [
				{ value: "bread", count: 1_200 },
				{ value: "rye", count: 2 },
			],
		},
		{ name: "month", values: [{ value: "2026-03", count: 1 }] },
	],
});

describe("the bar that narrows a search down", () => {
	let bar: FacetBar;
	let asked: string[];
	let query: string;
	let chosen: (readonly string[] | undefined)[];
	const chips = (): (string | null)[] =>
		[...bar.element.querySelectorAll("button")].map((chip) => chip.getAttribute("aria-label"));
	const show = (searched: string, answer: typeof COUNTED | null, profiles?: readonly string[]): void => {
		query = searched;
		bar.show({ query, profiles }, answer);
	};
	const press = (label: string): void =>
		[...bar.element.querySelectorAll("button")].find((chip) => chip.getAttribute("aria-label") === label)?.click();

	beforeEach(() => {
		asked = [];
		chosen = [];
		bar = new FacetBar({
			onQuery: (change) => asked.push(change(query)),
			onProfiles: (profiles) => chosen.push(profiles),
			colourOf: () => "#2a66b2",
		});
	});

	it("offers what leaves fewer notes, with how many", () => {
		show("dough", COUNTED);
		expect(chips()).toEqual(["My notes 4 notes", "#rye 2 notes", "2026-03 1 note"]);
		for (const chip of chips()) press(chip ?? "");
		expect(asked).toEqual(['dough path:"My notes/*"', "dough tag:rye", "dough modified:2026-03"]);
	});

	it("leaves out what would leave more than two thirds, and of the rest shows some of each kind", () => {
		const values = [7, 6, 5, 4, 3].map((count) => ({ value: `folder ${count}`, count }));
		show("dough", { ...COUNTED, facets: [{ name: "folder", values }] });
		expect(chips()).toEqual(["folder 6 6 notes", "folder 5 5 notes", "folder 4 4 notes"]);
	});

	it("offers a profile where that narrows the search, and lets go of those that are chosen", () => {
		const facets = [
			{
				name: "profile",
				values: [
					{ value: "home", count: 7 },
					{ value: "work", count: 2 },
				],
			},
		];
		show("dough", { ...COUNTED, facets });
		expect(chips()).toEqual(["work 2 notes"]);
		press("work 2 notes");
		show("dough", { ...COUNTED, facets }, ["home", "work"]);
		expect(chips()).toEqual(["Remove the filter home", "Remove the filter work"]);
		press("Remove the filter home");
		show("dough", { ...COUNTED, facets }, ["work"]);
		press("Remove the filter work");
		expect(chosen).toEqual([["work"], ["work"], undefined]);
	});

	it("lets go of each filter by itself, in whatever way it came into the query", () => {
		show("dough tag:rye -path:Old [status:done]", COUNTED);
		expect(chips()).toEqual([
			"Remove the filter tag:rye",
			"Remove the filter -path:Old",
			"Remove the filter [status:done]",
			"My notes 4 notes",
			"2026-03 1 note",
		]);
		press("Remove the filter -path:Old");
		expect(asked).toEqual(["dough tag:rye [status:done]"]);
	});

	it("keeps the numbers of the answer before until there are new ones, and marks them as old", () => {
		show("dough", COUNTED);
		show("dough r", response([result()]));
		expect([chips().length, bar.element.classList.contains("is-old")]).toEqual([3, true]);
		show("dough r", { ...COUNTED, facets: COUNTED.facets.slice(1) });
		expect([chips(), bar.element.classList.contains("is-old")]).toEqual([
			["#rye 2 notes", "2026-03 1 note"],
			false,
		]);
	});

	it.each([
		["nothing was found", "dough", response([])],
		["the box is empty", "", null],
	])("is gone where %s", (_, query, answer) => {
		show("dough", COUNTED);
		show(query, answer);
		expect(bar.element.hidden).toBe(true);
	});
});
