import { App } from "obsidian-test-mocks/obsidian";
import { setup } from "obsidian-test-mocks/setup";
import { beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../../src/api/wire";
import { applyChanges, changedText } from "../../src/host/obsidian/applyChanges";

const replace = (given: Partial<Change>): Change => ({ action: "replace", vault: "V", path: "A.md", line: 1, column: 0, ...given });

describe("a text with its changes", () => {
	it.each([
		["by line", "a cat\nb cat\n", [replace({ line: 2, before: "cat", after: "[[Cat]]" })], "a cat\nb [[Cat]]\n"],
		["by column in code points", "é🐱cat cat", [replace({ column: 3, before: "cat", after: "dog" })], "é🐱dog cat"],
		["several, in terms of the text as it was", "cat dog", [replace({ before: "dog", after: "cow" }), replace({ before: "cat", after: "heron" })], "heron cow"],
		["with its own line ends", "a\r\ncat\r\n", [replace({ line: 2, before: "cat", after: "x" }), { action: "append", vault: "V", path: "A.md", after: "b\nc" }], "a\r\nx\r\nb\r\nc\r\n"],
		["not what is not there", "cat", [replace({ before: "dog", after: "x" })], null],
		["not what is there twice", "cat cat", [replace({ before: "cat", after: "x" })], null],
		["not at another column", "cat", [replace({ column: 2, before: "cat", after: "x" })], null],
		["not beyond the line", "ca\nt", [replace({ before: "ca\nt", after: "x" })], null],
		["not two at one place", "cat", [replace({ before: "cat", after: "x" }), replace({ before: "at", after: "y" })], null],
	] satisfies [string, string, Change[], string | null][])("%s", (_, text, changes, expected) => {
		expect(changedText(text, changes)).toBe(expected);
	});
});

describe("in Obsidian", () => {
	let app: App;
	const text = (path: string): Promise<string> => {
		const file = app.vault.getFileByPath(path);
		return file ? app.vault.read(file) : Promise.resolve("gone");
	};
	const apply = (changes: Change[]): ReturnType<typeof applyChanges> => applyChanges(app.asOriginalType__(), changes);

	beforeEach(() => {
		setup();
		app = App.createConfigured__({ files: { "A.md": "A cat.\n", "b/B.md": "A dog.\n" } });
	});

	it("writes into several notes, moves one, and takes all of it back", async () => {
		const applied = await apply([replace({ before: "cat", after: "cow" }), replace({ path: "b/B.md", before: "dog", after: "cow" }), { action: "move", vault: "V", path: "A.md", to: "new/C.md" }]);
		expect([await text("new/C.md"), await text("b/B.md"), await text("A.md")]).toEqual(["A cow.\n", "A cow.\n", "gone"]);
		expect(await applied?.undo()).toBe(true);
		expect([await text("A.md"), await text("b/B.md")]).toEqual(["A cat.\n", "A dog.\n"]);
	});

	it("writes nothing where one note is not what it was", async () => {
		expect(await apply([replace({ before: "cat", after: "cow" }), replace({ path: "b/B.md", before: "heron", after: "cow" })])).toBeNull();
		expect(await text("A.md")).toBe("A cat.\n");
	});

	it("takes nothing back where a note has changed since", async () => {
		const applied = await apply([replace({ before: "cat", after: "cow" }), replace({ path: "b/B.md", before: "dog", after: "cow" })]);
		const file = app.vault.getFileByPath("b/B.md");
		if (file) await app.vault.modify(file, "Mine.\n");
		expect(await applied?.undo()).toBe(false);
		expect([await text("A.md"), await text("b/B.md")]).toEqual(["A cow.\n", "Mine.\n"]);
	});

	it("puts tags in and takes them out", async () => {
		const tags = (action: "add-tags" | "remove-tags", ...given: string[]): Change => ({ action, vault: "V", path: "A.md", tags: given });
		await apply([tags("add-tags", "bird", "pond")]);
		await apply([tags("add-tags", "Bird", "frog"), tags("remove-tags", "pond")]);
		expect(await text("A.md")).toMatch(/^---\ntags:\n\s*- bird\n\s*- frog\n---\nA cat\.\n$/);
	});
});
