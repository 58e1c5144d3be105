import { describe, expect, it } from "vitest";
import { addFilter, complete, filterAt, isOnlyFilters } from "../../src/panel/search/completion";

/** "|" stands for the caret. */
const at = (marked: string): [query: string, caret: number] => [marked.replace("|", ""), marked.indexOf("|")];

describe("completion of filters", () => {
	it.each([
		["tag:a", true],
		['path:"My folder" -tag:x #b [status:done] ', true],
		["tag:a bread", false],
		["", false],
		["metatag:x", false],
	])("%s is nothing but filters: %s", (query, want) => {
		expect(isOnlyFilters(query)).toBe(want);
	});

	it.each([
		["tag:|", "tag", ""],
		["bread tag:ba|", "tag", "ba"],
		["-tag:ba|", "tag", "ba"],
		['path:"My fol|', "folder", "My fol"],
		["file:Bre| dough", "title", "Bre"],
		["TAG:x|", "tag", "x"],
	])("%s asks for a %s that begins with %s", (marked, kind, prefix) => {
		expect(filterAt(...at(marked))).toMatchObject({ kind, prefix });
	});

	it.each(["|", "bread|", "tag: |", "metatag:x|", "tag:x bread|", 'path:"a" |'])("offers nothing at %s", (marked) => {
		expect(filterAt(...at(marked))).toBeNull();
	});

	it("completes the names of profiles", () => {
		expect(filterAt("bread profile:w", 15, ["home", "work"])).toMatchObject({ filter: "profile", kind: null, fixed: ["home", "work"], prefix: "w" });
	});

	it("knows the values of modified:", () => {
		expect(filterAt(...at("modified:|"))).toMatchObject({ kind: null, fixed: ["today", "yesterday", "this week", "last week", "this month", "7d", "30d", "1y"] });
	});

	it.each([
		["tag:ba|", "baking", "tag:baking |"],
		["tag:ba|king dough", "bakery", "tag:bakery |dough"],
		["path:|", "My folder", 'path:"My folder" |'],
		['path:"My fol|der" x', "My folder", 'path:"My folder" |x'],
	])("%s completed with %s is %s", (marked, value, want) => {
		const [query, caret] = at(marked);
		const token = filterAt(query, caret);
		expect(token).not.toBeNull();
		if (token) expect(complete(query, token, value)).toEqual({ query: want.replace("|", ""), caret: want.indexOf("|") });
	});

	it.each([
		["", "tag:", "tag:|"],
		["bread ", "path:", "bread path:|"],
		["bread", '""', 'bread "|"'],
	])("%s with the filter %s is %s", (query, filter, want) => {
		expect(addFilter(query, filter)).toEqual({ query: want.replace("|", ""), caret: want.indexOf("|") });
	});
});
