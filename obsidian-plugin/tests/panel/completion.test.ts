import { describe, expect, it } from "vitest";
import { addFilter, complete, stillFitting, tokenAt } from "../../src/panel/search/box/completion";

/** "|" stands for the caret. */
const at = (marked: string): [query: string, caret: number] => [marked.replace("|", ""), marked.indexOf("|")];

describe("completion of filters", () => {
	it.each([
		["tag:|", "tag", ""],
		["bread tag:ba|", "tag", "ba"],
		["-tag:ba|", "tag", "ba"],
		['path:"My fol|', "folder", "My fol"],
		["file:Bre| dough", "title", "Bre"],
		["TAG:x|", "tag", "x"],
	])("%s asks for a %s that begins with %s", (marked, kind, prefix) => {
		expect(tokenAt(...at(marked))).toMatchObject({ kind, prefix });
	});

	it.each(["|", "bread|", "tag: |", "metatag:x|", "line:x|", "tag:x bread|", 'path:"a" |'])(
		"offers nothing at %s",
		(marked) => {
			expect(tokenAt(...at(marked)) ?? { kind: null, fixed: [] }).toMatchObject({ kind: null, fixed: [] });
		},
	);

	it("completes the names of profiles", () => {
		expect(tokenAt("bread profile:w", 15, ["home", "work"])).toMatchObject({
			kind: null,
			fixed: [{ value: "work" }],
			prefix: "w",
		});
	});

	it.each([
		["pa|", ["path:"]],
		["bread ta|", ["tag:", "task:", "task-todo:", "task-done:"]],
		["task-t|", ["task-todo:"]],
		["-fi| dough", ["file:"]],
		["MOD|", ["modified:"]],
		["crea|", ["created:"]],
		["pr|", ["profile:"]],
		["lang|", ["lang:"]],
		["ext|", ["ext:"]],
	])("offers at %s the names %j", (marked, names) => {
		const token = tokenAt(...at(marked));
		expect(token?.isWord).toBe(true);
		expect(token?.fixed.map(({ value }) => value)).toEqual(names);
	});

	it.each(["p|", "pat|h", "bread spa|", "x:pa|", '"pa|', "pan|", "#ta|"])("offers no name at %s", (marked) => {
		expect(tokenAt(...at(marked))?.fixed ?? []).toEqual([]);
	});

	it.each([
		["[|", ""],
		["bread [sta|tus]", "sta"],
		["-[due da|", "due da"],
	])("asks at %s for a property that begins with %s", (marked, prefix) => {
		expect(tokenAt(...at(marked))).toMatchObject({ kind: "property", prefix, isWord: false });
	});

	it.each(["[status:|", "[status]|", "[[Bread|", "bread[a|"])("offers no property at %s", (marked) => {
		expect(tokenAt(...at(marked))).toBeNull();
	});

	it("knows the values of modified:", () => {
		expect(tokenAt(...at("modified:|"))?.fixed.map(({ value }) => value)).toEqual([
			"today",
			"yesterday",
			"this week",
			"last week",
			"this month",
			"7d",
			"30d",
			"1y",
		]);
	});

	it.each([
		["tag:ba|", "baking", "tag:baking |"],
		["tag:ba|king dough", "bakery", "tag:bakery |dough"],
		["path:|", "My folder", 'path:"My folder" |'],
		['path:"My fol|der" x', "My folder", 'path:"My folder" |x'],
		["bread pa|", "path:", "bread path:|"],
		["-ta| dough", "tag:", "-tag:| dough"],
		["[sta|", "status", "[status] |"],
		["[du|] x", "due date", "[due date] |x"],
	])("%s completed with %s is %s", (marked, value, want) => {
		const [query, caret] = at(marked);
		const token = tokenAt(query, caret);
		expect(token).not.toBeNull();
		if (token)
			expect(complete(query, token, value)).toEqual({ query: want.replace("|", ""), caret: want.indexOf("|") });
	});

	it.each([
		["", "tag:", "tag:|"],
		["bread ", "path:", "bread path:|"],
		["bread", '""', 'bread "|"'],
	])("%s with the filter %s is %s", (query, filter, want) => {
		expect(addFilter(query, filter)).toEqual({ query: want.replace("|", ""), caret: want.indexOf("|") });
	});
});

it("goes on fitting for whoever types a letter without its stroke or accent", () => {
	const before = tokenAt("tag:lo", 6, []);
	const now = tokenAt("tag:lod", 7, []);
	const choices = ["łódź", "loki", "Løde/strand"].map((value) => ({ value }));
	expect(stillFitting(choices, before, now).map(({ value }) => value)).toEqual(["łódź", "Løde/strand"]);
});
