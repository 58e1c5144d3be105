import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { literalsIn, shownLiterals, sources } from "../helpers/literals";
import { EN } from "../helpers/tables";

const SOURCE = join(import.meta.dirname, "../../src");
/** What says them, and what is written by `make wire`. */
const LEFT_OUT = /^(words\/|api\/wire\.ts$)/;

/** What is the same in every language: names, commands, and words of the query language. */
const THE_SAME = new Set([
	"Scrubjay",
	"HMAC",
	"profile",
	"Tab",
	"noopener noreferrer",
	"this week",
	"last week",
	"this month",
	"linked from here",
	"links here",
]);

describe("what users read", () => {
	it("stands in the tables, nowhere else", () => {
		const found = shownLiterals(SOURCE, (file) => LEFT_OUT.test(file)).filter(({ text }) => !THE_SAME.has(text));
		expect(found).toEqual([]);
	});

	it("is said somewhere: no sentence of the tables is left over", () => {
		const code =
			sources(SOURCE)
				.filter((path) => !relative(SOURCE, path).startsWith("words"))
				.map((path) => readFileSync(path, "utf8"))
				.join("\n") + readFileSync(join(SOURCE, "words/say.ts"), "utf8");
		const begins = [...code.matchAll(/`([A-Za-z]+\.(?:[a-z-]+\.)?)\$\{/g)].map(([, prefix = ""]) => prefix);
		expect(
			Object.keys(EN).filter(
				(key) => !code.includes(`"${key}"`) && !begins.some((prefix) => key.startsWith(prefix)),
			),
		).toEqual([]);
	});

	it.each([
		["a text", `h("p", { text: "Nothing" })`, ["Nothing"]],
		["a child", `h("p", {}, "Nothing here")`, ["Nothing here"]],
		["a label", `h("p", { attrs: { "aria-label": isOpen ? "Close" : "Open" } })`, ["Close", "Open"]],
		["a template", "host.notify(`${name} was closed`)", ["… was closed"]],
		["a sentence anywhere", `const why = "Because it is so";`, ["Because it is so"]],
		["a setting", `new Setting(el).setName("Mode")`, ["Mode"]],
		["an attribute that is set", `element.setAttribute("aria-label", "Close")`, ["Close"]],
	])("is found as %s", (_, code, want) => {
		expect(literalsIn("x.ts", code).map(({ text }) => text)).toEqual(want);
	});

	it.each([
		["a class", `h("p", { class: "sj-card is-open" })`],
		["a key of the tables", `h("p", { text: say(isOpen ? "do.close" : "do.back") })`],
		["a key press", `if (event.key === "Enter") open();`],
		["a type", `type Kind = "one of these"`],
		["a selector", `element.querySelector("input, button")`],
		["a command", `h("code", { text: "scrubjay open" })`],
		["a path", `client.call("POST", "/v1/search")`],
	])("is not %s", (_, code) => {
		expect(literalsIn("x.ts", code)).toEqual([]);
	});
});
