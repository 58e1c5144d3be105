import { describe, expect, it } from "vitest";
import { h } from "../../src/panel/shared/dom";
import { renderMarkdown } from "../../src/panel/notes/markdown";
import { markIn, markSentence, sentences } from "../../src/panel/notes/textMarks";

function shown(text: string): HTMLElement {
	const box = h("div");
	box.append(...renderMarkdown(text));
	return box;
}
const marksOf = (text: string, words: readonly string[]): [HTMLElement, HTMLElement[]] => {
	const box = shown(text);
	return [box, markIn(box, words)];
};

describe("what a search matched in a note", () => {
	it("is marked wherever it stands, and the text stays the same", () => {
		const [box, marks] = marksOf("the **dough** and `dough`\n\n| dough |\n|---|\n| [[doughnut]] |", ["dough"]);
		expect(marks.map((mark) => mark.parentElement?.tagName)).toEqual(["STRONG", "CODE", "TH"]);
		expect(box.textContent).toBe(
			shown("the **dough** and `dough`\n\n| dough |\n|---|\n| [[doughnut]] |").textContent,
		);
	});

	it.each([
		["किताब", "यह किताब, वह किताबें", ["किताब"]],
		["शहर", "शहर और शहरी", ["शहर"]],
		["น้ำ", "ดื่มน้ำเย็น", ["น้ำ"]],
		["น", "น้ำ", []],
		["שלום", "שלום וגם שָׁלוֹם", ["שלום"]],
		["e\u0301tude", "une e\u0301tude, cafe\u0301", ["e\u0301tude"]],
		["cafe", "un cafe\u0301", []],
	])("is a whole word in a script with marks: %s", (word, text, marked) => {
		const [, marks] = marksOf(text, [word]);
		expect(marks.map((mark) => mark.textContent)).toEqual(marked);
	});

	it.each([
		[
			"with the most of the words",
			"Dough rises. A wetter dough ferments faster. It ferments.",
			["dough", "ferments"],
			"A wetter dough ferments faster.",
		],
		["first of two that are equal", "The dough. The dough again.", ["dough"], "The dough."],
		[
			"over what is bold or code in it",
			"No. A **wetter dough** in `ferments` there! No.",
			["dough", "ferments"],
			"A wetter dough in ferments there!",
		],
		["of a list's item", "- some dough\n- dough ferments\n- ferments", ["dough", "ferments"], "dough ferments"],
		[
			"in a table's cell",
			"| a | b |\n|---|---|\n| dough | dough ferments |",
			["dough", "ferments"],
			"dough ferments",
		],
		["in Chinese", "今天下雨。滇池有红嘴鸥。明天晴。", ["红嘴"], "滇池有红嘴鸥。"],
		["without a full stop", "dough ferments", ["dough"], "dough ferments"],
	])("has its sentence marked, the one %s", (_, text, words, want) => {
		const [box, marks] = marksOf(text, words);
		expect(
			markSentence(marks)
				.map((part) => part.textContent)
				.join(""),
		).toBe(want);
		expect(box.textContent).toBe(shown(text).textContent);
	});

	it("marks no sentence where nothing matched", () => {
		expect(markSentence(marksOf("dough", ["bread"])[1])).toEqual([]);
	});

	it.each([
		["One. Two! Three", ["One.", "Two!", "Three"]],
		['Version 1.5 is out. "So?" he said…', ["Version 1.5 is out.", '"So?"', "he said…"]],
		["a\n\n  b ", ["a", "b"]],
		["", []],
	])("sentences of %s", (text, want) => {
		expect(sentences(text).map(([start, end]) => text.slice(start, end))).toEqual(want);
	});
});
