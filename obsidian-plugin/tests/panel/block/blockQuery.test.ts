import { describe, expect, it } from "vitest";
import { readBlock, withoutNote } from "../../../src/panel/block/blockQuery";

describe("a block of code in a note", () => {
	it.each([
		["a query alone", "tag:recipe dough", { query: "tag:recipe dough", limit: 10, view: "list" }],
		[
			"its options",
			"query: tag:recipe dough\nlimit: 5\nview: cards",
			{ query: "tag:recipe dough", limit: 5, view: "cards" },
		],
		[
			"a query over several lines",
			"tag:recipe\n\n  dough  \nView:COUNT",
			{ query: "tag:recipe dough", limit: 10, view: "count" },
		],
		[
			"filters that look like options",
			"path:Projects\nsort:-modified\nLIMIT: 100",
			{ query: "path:Projects sort:-modified", limit: 100, view: "list" },
		],
		["the last of two", "dough\nlimit: 5\nlimit: 7", { query: "dough", limit: 7, view: "list" }],
	])("is read with %s", (_, source, block) => {
		expect(readBlock(source)).toEqual(block);
	});

	it.each([
		["no query", "limit: 5", ["Write what to search for: query: tag:project"]],
		["a limit of none", "dough\nlimit: 0", ["limit: takes a number from 1 to 100, not “0”."]],
		[
			"a limit beyond what one search gives",
			"dough\nlimit: 101",
			["limit: takes a number from 1 to 100, not “101”."],
		],
		["a view that there is not", "dough\nview: map", ["view: takes list, cards, table, count, not “map”."]],
		[
			"several of them",
			"limit: many\nview:",
			[
				"Write what to search for: query: tag:project",
				"limit: takes a number from 1 to 100, not “many”.",
				"view: takes list, cards, table, count, not “”.",
			],
		],
	])("says what is wrong with %s", (_, source, problems) => {
		expect(readBlock(source)).toEqual({ problems });
	});

	it.each([
		["dough", 'dough -path:"Home.md"'],
		["dough OR bread", '(dough OR bread) -path:"Home.md"'],
		["ORDER flour", 'ORDER flour -path:"Home.md"'],
		['"dough', '"dough'],
		['"say \\"so\\"" dough', '"say \\"so\\"" dough -path:"Home.md"'],
	])("leaves its own note out of %s", (query, asked) => {
		expect(withoutNote(query, "Home.md")).toBe(asked);
	});
});
