import { describe, expect, it } from "vitest";
import {
	filterOf,
	hasPart,
	isOnlyFilters,
	partsOf,
	withoutPart,
	withPart,
} from "../../src/panel/search/box/queryParts";

describe("the parts of a query", () => {
	it.each<[query: string, parts: string[]]>([
		["sour  dough", ["sour", "dough"]],
		['"sour dough" -old', ['"sour dough"', "-old"]],
		['path:"Two words"/c tag:x', ['path:"Two words"/c', "tag:x"]],
		['bread ["due date":"next week"]', ["bread", '["due date":"next week"]']],
		["line:(heron weir) -(a OR b)", ["line:(heron weir)", "-(a OR b)"]],
		['an "open quote', ["an", '"open quote']],
		["水曜日 tag:日記", ["水曜日", "tag:日記"]],
		["  ", []],
	])("%s", (query, parts) => expect(partsOf(query)).toEqual(parts));

	it.each([
		["tag:a", true],
		['path:"My folder" -tag:x #b [status:done] sort:-modified ', true],
		["line:(heron weir) task-todo:call match-case:Weir vault:Home", true],
		["tag:a bread", false],
		["", false],
		["metatag:x", false],
	])("%s is nothing but filters: %s", (query, want) => expect(isOnlyFilters(query)).toBe(want));

	it.each([
		["dough", "tag:bread", "dough tag:bread"],
		["dough TAG:bread", "tag:bread", "dough TAG:bread"],
		["", "tag:bread", "tag:bread"],
		['dough path:"My folder/*"', "tag:a", 'dough path:"My folder/*" tag:a'],
	])("%s with %s is %s, and taken out again it is gone", (query, part, want) => {
		expect(withPart(query, part)).toBe(want);
		expect(hasPart(withoutPart(want, part), part)).toBe(false);
	});

	it.each([
		["tag", "bread", "tag:bread"],
		["path", "My folder/*", 'path:"My folder/*"'],
		["path", "a (b)/*", 'path:"a (b)/*"'],
		["tag", 'q"uote d', 'tag:"quote d"'],
	])("%s and %s are written %s", (name, value, want) => expect(filterOf(name, value)).toBe(want));
});
