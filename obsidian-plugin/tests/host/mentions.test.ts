import { describe, expect, it } from "vitest";
import { findMention as find, linkedAt, type FoundMention } from "../../src/host/obsidian/mentions";
import { proseOf } from "../../src/host/obsidian/prose";

const findMention = (text: string, names: readonly string[]): FoundMention | null => find(text, proseOf(text), names);

const NAMES = ["Fog horn", "Foghorn signal", "狐狸", "किताब"];

describe("a note that another one names", () => {
	it.each([
		["as it is called", "Test the Fog horn today.", "Fog horn", 1],
		["in another case, or joined otherwise", "One\n\nTest the fog-horn today.", "fog-horn", 3],
		["by an alias", "The foghorn signal is loud.", "foghorn signal", 1],
		["in a script without blanks", "我看见狐狸了", "狐狸", 1],
		["in a script with vowel signs", "यह नया किताबघर, वह किताब है", "किताब", 1],
		["behind a link to another", "[[Lamp]] and fog horn", "fog horn", 1],
		["after code that says it", "`fog horn` is the fog horn", "fog horn", 1],
		["in a list, a quotation and a table", "| a | fog horn |", "fog horn", 1],
		["beside money", "It is $5 for the fog horn and $6 for the lamp", "fog horn", 1],
	])("is found %s", (_, text, written, line) => {
		expect(findMention(text, NAMES)).toMatchObject({ written, line });
	});

	it.each([
		["as a part of a longer word", "Two fog horns"],
		["in frontmatter", "---\ntitle: Fog horn\n---\nNothing"],
		["in a fence", "```\nfog horn\n```\n"],
		["in a fence that is never closed", "~~~ sh\nfog horn\n"],
		["in code", "`the fog horn`"],
		["in a link", "[[Fog horn]] [[Lamp|fog horn]] [fog horn](https://example.org) ![[Fog horn.png]]"],
		["in an address", "https://example.org/fog-horn and <b title='fog horn'>"],
		["in a heading", "# Fog horn\n"],
		["in a tag", "#fog-horn"],
		["in a comment or a formula", "%% fog horn %% <!-- fog horn --> $fog horn$"],
		["in a comment of several lines", "%%\nfog horn\n%% <!--\nfog horn\n--> $$\nfog horn\n$$"],
		["in a fence in a list", "- ```\n  fog horn\n  ```\n"],
		["in code with backticks in it", "``a ` fog horn``"],
		["in a definition of a link", "[lamp]: https://example.org 'fog horn'"],
	])("is not found %s", (_, text) => {
		expect(findMention(text, NAMES)).toBeNull();
	});

	// Where one look began anew at every sign, each of these took minutes.
	it.each<[name: string, made: () => string]>([
		["runs of backticks", () => Array.from({ length: 600 }, (_, length) => "`".repeat(length)).join(" ")],
		["tags that are never closed", () => "<a ".repeat(60_000)],
		["brackets that are never closed", () => "[".repeat(180_000)],
		["formulas that are none", () => "$ ".repeat(90_000)],
		["comments that are never closed", () => "<!-- ".repeat(36_000)],
		["addresses one behind the other", () => "a://".repeat(45_000)],
		["fences that are never closed", () => "```\n".repeat(45_001)],
	])("is looked for at once behind %s", (_, made) => {
		const odd = made();
		expect(proseOf(`${odd}\nfog horn`)).toHaveLength(odd.length + 9);
	});

	it("is not looked for by a name that is too short to mean it", () => {
		expect(findMention("Go on", ["Go"])).toBeNull();
	});
});

describe("the link in its place", () => {
	const seen = "One\nTest the fog horn today.\nThree";
	const found = findMention(seen, NAMES);

	it.each([
		["the text is as it was", seen, "One\nTest the [[Fog horn|fog horn]] today.\nThree"],
		["something below has changed", `${seen}\nFour`, "One\nTest the [[Fog horn|fog horn]] today.\nThree\nFour"],
		["the line has moved", `Zero\n${seen}`, null],
		["the line has changed", seen.replace("today", "now"), null],
		["the line goes on", seen.replace("today.", "today. Really."), null],
		["it was linked meanwhile", seen.replace("fog horn", "[[fog horn]]"), null],
		["the text is gone", "", null],
	])("is written only where the line is as it was: %s", (_, text, linked) => {
		expect(found && linkedAt(text, seen, found, "[[Fog horn|fog horn]]")).toBe(linked);
	});

	it("keeps a table's cells", () => {
		const row = "| fog horn | 3 |";
		const mention = findMention(row, NAMES);
		expect(mention && linkedAt(row, row, mention, "[[Fog horn|fog horn]]")).toBe("| [[Fog horn\\|fog horn]] | 3 |");
	});
});
