import { describe, expect, it } from "vitest";
import type { Span } from "../../src/api/words";
import { folderOf, grouped, listed, nameOf } from "../../src/panel/shared/format";
import { markWords, segments } from "../../src/panel/shared/highlight";

const shown = (parts: { text: string; hit: boolean }[]): string =>
	parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");

describe("highlights", () => {
	it.each<[name: string, text: string, spans: Span[], want: string]>([
		["none", "plain", [], "plain"],
		["one", "a dough b", [[2, 7]], "a [dough] b"],
		["an emoji counts as one", "😀 dough", [[2, 7]], "😀 [dough]"],
		["an accent counts as one", "é dough", [[2, 7]], "é [dough]"],
		[
			"unsorted",
			"one two",
			[
				[4, 7],
				[0, 3],
			],
			"[one] [two]",
		],
		[
			"overlapping",
			"dough",
			[
				[0, 3],
				[2, 5],
			],
			"[dou][gh]",
		],
		["past the end", "abc", [[1, 99]], "a[bc]"],
		[
			"empty and reversed",
			"abc",
			[
				[1, 1],
				[2, 1],
			],
			"abc",
		],
		["markup stays text", "<b>x</b>", [[3, 4]], "<b>[x]</b>"],
	])("%s", (_, text, spans, want) => {
		const parts = segments(text, spans);
		expect(shown(parts)).toBe(want);
		expect(parts.map((part) => part.text).join("")).toBe(text);
	});

	it.each([
		["the longest word wins", "dough doughnut", ["dough", "doughnut"], "[dough] [doughnut]"],
		["signs are letters, not patterns", "a.b a+b", ["a.b"], "[a.b] a+b"],
		["no words", "dough", [], "dough"],
		["a part of a longer word stays", "rollback, go back", ["back"], "rollback, go [back]"],
		["scripts without spaces", "滇池有红嘴鸥", ["红嘴"], "滇池有[红嘴]鸥"],
	])("words: %s", (_, text, words, want) => {
		expect(shown(markWords(text, words))).toBe(want);
	});
});

describe("words for values", () => {
	it("groups and lists", () => {
		expect([grouped(0), grouped(999), grouped(16_894), grouped(1_234_567)]).toEqual([
			"0",
			"999",
			"16,894",
			"1,234,567",
		]);
		expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])]).toEqual([
			"",
			"a",
			"a and b",
			"a, b and c",
		]);
	});

	it("takes paths apart", () => {
		expect([folderOf("A/B/C.md"), folderOf("C.md")]).toEqual(["A/B", ""]);
		expect([nameOf("A/B/C.md"), nameOf("C.canvas"), nameOf("a.md.md")]).toEqual(["C", "C.canvas", "a.md"]);
	});
});
