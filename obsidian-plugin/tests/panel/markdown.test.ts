import { describe, expect, it } from "vitest";
import { h } from "../../src/panel/shared/dom";
import { renderMarkdown } from "../../src/panel/notes/markdown";

function shown(text: string): HTMLElement {
	const box = h("div");
	box.append(...renderMarkdown(text));
	return box;
}

describe("a passage in the reader", () => {
	it.each([
		["a paragraph", "plain *and* **strong** ~~old~~", "p", "plain and strong old"],
		["a heading", "## Decisions", "h3", "Decisions"],
		["a list", "- one\n- two", "ul li:nth-child(2)", "two"],
		["a numbered list", "3. one\n4. two", 'ol[start="3"] li', "one"],
		["a task that is done", "- [x] call", ".sj-task", "☑call"],
		["a task that is not", "- [ ] call", ".sj-task", "☐call"],
		["code", "`a < b && c`", "p code", "a < b && c"],
		["a fence", "```js\nlet *x*;\n```", "pre code", "let *x*;"],
		["a table", "| a | b |\n|---|---|\n| 1 | 2 |", "td:nth-child(2)", "2"],
		["a quotation", "> said", "blockquote", "said"],
		["a call-out", "> [!tip] Try this\n> now", ".sj-callout strong", "Try this"],
		["a call-out's markup", "> [!tip] Try **this**\n> now", '.sj-callout[data-tone="good"] strong strong', "this"],
		["a call-out that unfolds", "> [!note]- More\n> now", ".sj-callout details:not([open]) summary", "More"],
		["a call-out that folds", "> [!bug]+ More\n> now", '.sj-callout[data-tone="bad"] details[open] p', "now"],
		["a formula, as it is written", "so $e^{i\\pi} = -1$ holds", "code.sj-math", "e^{i\\pi} = -1"],
		["a formula by itself", "$$\n\\sum_i x_i\n$$", "code.sj-math.is-block", "\\sum_i x_i"],
		["money", "from $5 to $6", "p", "from $5 to $6"],
		["a line break in a table", "| a |\n|---|\n| 1<br>2 |", "td", "12"],
		["a call-out without a title", "> [!warning]\n> now", ".sj-callout strong", "Warning"],
		["a wikilink", "see [[Folder/Note|the note]]", ".sj-wikilink", "the note"],
		["an embedded picture", "![[picture.png]]", "span.sj-wikilink", "picture.png"],
		[
			"a place for an embedded note",
			"![[Notes on 2.5 Bread#Steps#Flour]]",
			'.sj-embed[data-embed="Notes on 2.5 Bread"][data-heading="Flour"]',
			"Notes on 2.5 Bread#Steps#Flour",
		],
		["a place for a note named with its ending", "![[Bread.md]]", '.sj-embed[data-embed="Bread.md"]', "Bread.md"],
		["a highlight", "so ==very== new", ".sj-marking", "very"],
		["a link to the web", "[site](https://a.example/b)", 'a[href="https://a.example/b"]', "site"],
		["a link to a note", "[site](Other.md)", 'button[data-note="Other.md"]', "site"],
		[
			"a link to a part of a note above",
			"[a *b*](../My%20note.md#Part)",
			'button[data-note="../My note.md"][data-heading="Part"]',
			"a b",
		],
		["a link to a file", "[site](Other.png)", "span.sj-wikilink", "site"],
		["a link to another program", "[site](obsidian://open?file=Other.md)", "span.sj-wikilink", "site"],
		["a picture", "![A bird](bird.png)", "span.sj-wikilink", "A bird"],
		["signs of HTML", "a &lt; b &amp; c", "p", "a < b & c"],
		["a block id", "the end ^block-1", "p", "the end"],
		["a comment", "before %%hidden%% after", "p", "before  after"],
		["a heading that is underlined", "Decisions\n---", 'h3[data-depth="2"]', "Decisions"],
		["an emphasis in a strong one", "**a *b* c**", "strong em", "b"],
		["signs in words", "2 * 3 * 4 and snake_case_name", "p", "2 * 3 * 4 and snake_case_name"],
		["stars that are escaped", "\\*not this\\*", "p", "*not this*"],
		["code with a backtick in it", "``a ` b``", "code", "a ` b"],
		["a rule", "a\n\n* * *\n\nb", "hr", ""],
		["an item's second paragraph", "- one\n\n  more\n- two", "li p:nth-child(2)", "more"],
		["a list in a list", "- one\n  - inner\n- two", "li li", "inner"],
		["a list that tabs indent", "1. one\n\t- inner\n2. two", "ol li ul li", "inner"],
		["a list behind a number and a text", "Then:\n- one", "ul li", "one"],
		["a line that goes on", "- one\ngoes on\n- two", "li", "one\ngoes on"],
		["a fence in a list", "- one\n  ```\n  code\n\n  more\n  ```\n- two", "li pre", "code\n\nmore"],
		["code that is indented", "text\n\n    code\n      more", "pre", "code\n  more"],
		["a fence that is never closed", "~~~\ncode\n\n- x", "pre", "code\n\n- x"],
		["a quotation in a quotation", "> a\n>> b", "blockquote blockquote p", "b"],
		["a quotation that goes on", "> a\nb\n\nc", "blockquote p", "a\nb"],
		["a bar in a table's cell", "| a | b |\n|---|---|\n| [[N\\|n]] | 2 |", 'td button[data-note="N"]', "n"],
		["a table behind a text", "text\n| a | b |\n|---|---|\n| 1 | 2 |", "td", "1"],
		[
			"a link by its label",
			"[the site][s]\n\n[S]: https://a.example/x",
			'a[href="https://a.example/x"]',
			"the site",
		],
		["a link with brackets", "[a [b] c](https://a.example)", 'a[href="https://a.example"]', "a [b] c"],
		[
			"a bare address",
			"see https://a.example/b_c_d).",
			'a[href="https://a.example/b_c_d"]',
			"https://a.example/b_c_d",
		],
		["a formula with signs in it", "$a_1 * b_2 * c$", "code.sj-math", "a_1 * b_2 * c"],
		["a line break", "one  \ntwo", "p br", ""],
		["a comment over lines", "before %%hid\nden%% after", "p", "before  after"],
		["what was redacted", "key [REDACTED:github-token] here", "p", "key [REDACTED:github-token] here"],
	])("shows %s", (_, text, selector, want) => {
		expect(shown(text).querySelector(selector)?.textContent).toBe(want);
	});

	it("has no link within a link", () => {
		const links = shown("[see https://b.example](https://a.example)").querySelectorAll("a");
		expect([...links].map(({ textContent }) => textContent)).toEqual(["see https://b.example"]);
	});

	it.each([
		["list in list", Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n")],
		["brackets", "[".repeat(20_000)],
		["stars that begin", "*a ".repeat(5_000)],
		["stars that end", "b* ".repeat(5_000)],
		["backticks", Array.from({ length: 200 }, (_, length) => "`".repeat(length + 1)).join(" ")],
	])("reads odd text to its end: %s", (_, text) => {
		expect(shown(`${text}\n\nafter`).lastElementChild?.textContent).toBe("after");
	});

	it.each([
		'<img src=x onerror="alert(1)">',
		"<script>alert(1)</script>",
		"[x](javascript:alert(1))",
		"![x](https://a.example/spy.png)",
		"<iframe src='https://a.example'></iframe>",
	])("lets nothing of a note become markup or be loaded: %s", (text) => {
		expect(shown(`before\n\n${text}\n\nafter`).querySelector("img, script, iframe, a, [onerror]")).toBeNull();
	});
});
