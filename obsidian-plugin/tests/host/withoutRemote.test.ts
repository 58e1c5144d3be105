import { describe, expect, it } from "vitest";
import { onlyText, withoutRemote } from "../../src/host/obsidian/withoutRemote";

describe("Markdown that is drawn beside the results", () => {
	it.each([
		["a picture from the web", "so ![A bird](https://a.example/b.png) flies", "so [A bird](https://a.example/b.png) flies"],
		["a picture from wherever the page is from", "![x](//a.example/b.png)", "[x](//a.example/b.png)"],
		["a picture that is named elsewhere", "![x][bird]", "[x][bird]"],
		["HTML that loads", 'a <img src="https://a.example/b.png"> b <IFRAME src=x></iframe> c', "a  b  c"],
		["a tag that is never closed", '<img src="https://a.example/b.png"', ""],
		["a style that loads", '<div style="background: url(https://a.example)">x</div>', "x</div>"],
		["a drawing that loads", "<svg><image href='https://a.example/x'/></svg>", ""],
	])("loads nothing by %s", (_, text, want) => {
		expect(withoutRemote(text)).toBe(want);
	});

	it.each(["![[bird.png]] ![A bird](birds/bird.png)", "[site](https://a.example)", "`<img src=x>` stays", "```html\n<img src=\"https://a.example\">\n![x](https://a.example)\n```", "a < b and c > d", "<b>bold</b>"])("keeps %s", (text) => {
		expect(withoutRemote(text)).toBe(text);
	});
});

describe("a note that is not in the open vault", () => {
	it.each([
		["embedded notes and pictures", "![[Plan]] ![x](birds/x.png) ![y](https://a.example/y.png)", "[[Plan]] [x](birds/x.png) [y](https://a.example/y.png)"],
		["code that a plugin would run", "```dataviewjs\nrun()\n```\nso", "```\nrun()\n```\nso"],
		["a block of its own kind", "> ~~~ scrubjay\n> tag:x\n> ~~~", "> ~~~\n> tag:x\n> ~~~"],
		["a query in a line", "`= this.file` and `$= run()` and `a = b`", "`\u200b= this.file` and `\u200b$= run()` and `a = b`"],
		["text", "Well! [[Plan]] and [x](y)", "Well! [[Plan]] and [x](y)"],
	])("shows only the text of %s", (_, text, want) => {
		expect(onlyText(text)).toBe(want);
	});
});
