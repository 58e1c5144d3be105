import { App } from "obsidian-test-mocks/obsidian";
import { setup } from "obsidian-test-mocks/setup";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Change, FileDiff } from "../../src/api/wire";
import { applyChanges, changedText } from "../../src/host/obsidian/applyChanges";
import { renameWithLinks } from "../helpers/obsidian";

const replace = (given: Partial<Change>): Change => ({
	action: "replace",
	vault: "V",
	path: "A.md",
	line: 1,
	column: 0,
	...given,
});

describe("a text with its changes", () => {
	it.each([
		["by line", "a cat\nb cat\n", [replace({ line: 2, before: "cat", after: "[[Cat]]" })], "a cat\nb [[Cat]]\n"],
		["by column in code points", "é🐱cat cat", [replace({ column: 3, before: "cat", after: "dog" })], "é🐱dog cat"],
		[
			"several, in terms of the text as it was",
			"cat dog",
			[replace({ before: "dog", after: "cow" }), replace({ before: "cat", after: "heron" })],
			"heron cow",
		],
		[
			"with its own line ends",
			"a\r\ncat\r\n",
			[
				replace({ line: 2, before: "cat", after: "x" }),
				{ action: "append", vault: "V", path: "A.md", after: "b\nc" },
			],
			"a\r\nx\r\nb\r\nc\r\n",
		],
		["not what is not there", "cat", [replace({ before: "dog", after: "x" })], null],
		["not what is there twice", "cat cat", [replace({ before: "cat", after: "x" })], null],
		["not at another column", "cat", [replace({ column: 2, before: "cat", after: "x" })], null],
		["not beyond the line", "ca\nt", [replace({ before: "ca\nt", after: "x" })], null],
		[
			"not two at one place",
			"cat",
			[replace({ before: "cat", after: "x" }), replace({ before: "at", after: "y" })],
			null,
		],
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
	const apply = (changes: Change[], diffs: Record<string, string> = {}): ReturnType<typeof applyChanges> => {
		const files = Object.entries(diffs).map(([path, diff]): FileDiff => ({
			vault: "V",
			path,
			to: path,
			diff,
			digest: "00",
		}));
		return applyChanges(app.asOriginalType__(), { changes, files });
	};
	const put = async (path: string, words: string): Promise<void> => {
		const file = app.vault.getFileByPath(path);
		if (file) await app.vault.modify(file, words);
	};
	beforeEach(() => {
		setup();
		app = App.createConfigured__({ files: { "A.md": "A cat.\n", "b/B.md": "A dog.\n" } });
	});

	it("writes into several notes, moves one, and takes all of it back", async () => {
		const applied = await apply([
			replace({ before: "cat", after: "cow" }),
			replace({ path: "b/B.md", before: "dog", after: "cow" }),
			{ action: "move", vault: "V", path: "A.md", to: "new/C.md" },
		]);
		expect([await text("new/C.md"), await text("b/B.md"), await text("A.md")]).toEqual([
			"A cow.\n",
			"A cow.\n",
			"gone",
		]);
		expect(applied?.touched()).toEqual(["new/C.md", "b/B.md", "A.md"]);
		expect(await applied?.undo()).toBe(true);
		expect([await text("A.md"), await text("b/B.md")]).toEqual(["A cat.\n", "A dog.\n"]);
	});

	it("writes nothing where one note is not what it was", async () => {
		expect(
			await apply([
				replace({ before: "cat", after: "cow" }),
				replace({ path: "b/B.md", before: "heron", after: "cow" }),
			]),
		).toBeNull();
		expect(await text("A.md")).toBe("A cat.\n");
	});

	it("takes nothing back where a note has changed since", async () => {
		const applied = await apply([
			replace({ before: "cat", after: "cow" }),
			replace({ path: "b/B.md", before: "dog", after: "cow" }),
		]);
		const file = app.vault.getFileByPath("b/B.md");
		if (file) await app.vault.modify(file, "Mine.\n");
		expect(await applied?.undo()).toBe(false);
		expect([await text("A.md"), await text("b/B.md")]).toEqual(["A cow.\n", "Mine.\n"]);
	});

	it("looks at all notes before it writes the first", async () => {
		const process = vi.spyOn(app.vault, "process");
		expect(
			await apply([
				replace({ before: "cat", after: "cow" }),
				replace({ path: "b/B.md", before: "heron", after: "cow" }),
			]),
		).toBeNull();
		expect(
			await apply([
				replace({ before: "cat", after: "cow" }),
				{ action: "move", vault: "V", path: "A.md", to: "b/B.md" },
			]),
		).toBeNull();
		expect(process).not.toHaveBeenCalled();
	});

	it("says what stays where notes change in the very moment, and takes it back once it can", async () => {
		const process = app.vault.process.bind(app.vault);
		const typing = vi.spyOn(app.vault, "process").mockImplementation(async (file, change) => {
			if (file.path !== "b/B.md") return process(file, change);
			typing.mockRestore();
			await put("b/B.md", "Mine.\n");
			await put("A.md", "A cow. And more\n");
			return process(file, change);
		});
		const applied = await apply([
			replace({ before: "cat", after: "cow" }),
			replace({ path: "b/B.md", before: "dog", after: "cow" }),
		]);
		expect([applied?.stays, await text("A.md"), await text("b/B.md")]).toEqual([
			["A.md"],
			"A cow. And more\n",
			"Mine.\n",
		]);
		expect(await applied?.undo()).toBe(false);
		await put("A.md", "A cow.\n");
		expect(await applied?.undo()).toBe(true);
		expect([await text("A.md"), await text("b/B.md")]).toEqual(["A cat.\n", "Mine.\n"]);
	});

	it("takes back a note whose links followed another that was moved, and a moved note with its own", async () => {
		renameWithLinks(app);
		await put("A.md", "A cat, see [[b/B]].\n");
		await put("b/B.md", "A dog, as in [[b/B#x]].\n");
		const applied = await apply([
			replace({ before: "cat", after: "cow" }),
			replace({ path: "b/B.md", before: "dog", after: "cow" }),
			{ action: "move", vault: "V", path: "b/B.md", to: "c/B.md" },
		]);
		expect([await text("A.md"), await text("c/B.md")]).toEqual([
			"A cow, see [[c/B]].\n",
			"A cow, as in [[c/B#x]].\n",
		]);
		expect(await applied?.undo()).toBe(true);
		expect([await text("A.md"), await text("b/B.md")]).toEqual([
			"A cat, see [[b/B]].\n",
			"A dog, as in [[b/B#x]].\n",
		]);
	});

	it("takes nothing back where somebody typed while a note moved", async () => {
		renameWithLinks(app);
		await put("A.md", "A cat, see [[b/B]].\n");
		const rename = app.fileManager.renameFile.bind(app.fileManager);
		vi.spyOn(app.fileManager, "renameFile").mockImplementationOnce(async (file, to) => {
			await rename(file, to);
			await put("A.md", "A cow, mine, see [[c/B]].\n");
		});
		const applied = await apply([
			replace({ before: "cat", after: "cow" }),
			{ action: "move", vault: "V", path: "b/B.md", to: "c/B.md" },
		]);
		expect(await applied?.undo()).toBe(false);
		expect(await text("A.md")).toBe("A cow, mine, see [[c/B]].\n");
	});

	const add = { action: "add-tags", vault: "V", path: "A.md", tags: ["new"] } satisfies Change;
	const diff = (...lines: string[]): Record<string, string> => ({
		"A.md": ["--- a/A.md", "+++ b/A.md", ...lines, ""].join("\n"),
	});

	it.each<[name: string, before: string, change: Change[], shown: Record<string, string>, after: string]>([
		[
			"a number",
			"---\ntags: 2024\nx: 1 # mine\n---\nA.\n",
			[add],
			diff("@@ -1,4 +1,4 @@", " ---", "-tags: 2024", '+tags: ["2024", new]', " x: 1 # mine", " ---"),
			'---\ntags: ["2024", new]\nx: 1 # mine\n---\nA.\n',
		],
		[
			"a yes",
			"---\ntags: true\n---\nA.\n",
			[add],
			diff("@@ -1,4 +1,4 @@", " ---", "-tags: true", '+tags: ["true", new]', " ---", " A."),
			'---\ntags: ["true", new]\n---\nA.\n',
		],
		[
			"a property",
			"---\nstatus: open # mine\n---\nA.\n",
			[{ action: "set-property", vault: "V", path: "A.md", name: "status", value: "done" }],
			diff("@@ -1,4 +1,4 @@", " ---", "-status: open # mine", "+status: done # mine", " ---", " A."),
			"---\nstatus: done # mine\n---\nA.\n",
		],
		[
			"a property that goes",
			"---\nx: 1\nstatus: [a,\n  b]\n---\nA.\n",
			[{ action: "remove-property", vault: "V", path: "A.md", name: "status" }],
			diff("@@ -1,6 +1,4 @@", " ---", " x: 1", "-status: [a,", "-  b]", " ---", " A."),
			"---\nx: 1\n---\nA.\n",
		],
		[
			"`tag` beside `tags`",
			"---\r\ntag: a\r\ntags: b\r\n---\r\nA.\r\n",
			[add],
			diff("@@ -1,5 +1,5 @@", " ---", " tag: a", "-tags: b", "+tags: [b, new]", " ---", " A."),
			"---\r\ntag: a\r\ntags: [b, new]\r\n---\r\nA.\r\n",
		],
		[
			"no properties",
			"A.\n",
			[add],
			diff("@@ -1 +1,4 @@", "+---", "+tags: [new]", "+---", " A."),
			"---\ntags: [new]\n---\nA.\n",
		],
		[
			"no properties, in an empty note that gets a line",
			"",
			[add, { action: "append", vault: "V", path: "A.md", after: "B." }],
			diff("@@ -0,0 +1,4 @@", "+---", "+tags: [new]", "+---", "+B."),
			"---\ntags: [new]\n---\nB.\n",
		],
		[
			"a line with something hidden beside it",
			"---\npin: 4711\ntags: a\n---\nA.\n",
			[add],
			diff("@@ -1,5 +1,5 @@", " ---", " pin: [REDACTED:pin]", "-tags: a", "+tags: [a, new]", " ---", " A."),
			"---\npin: 4711\ntags: [a, new]\n---\nA.\n",
		],
		[
			"a text that changes, too",
			"---\ntags: a\n---\nA cat.\n",
			[add, replace({ line: 4, before: "cat", after: "cow" })],
			diff("@@ -1,4 +1,4 @@", " ---", "-tags: a", "+tags: [a, new]", " ---", "-A cat.", "+A cow."),
			"---\ntags: [a, new]\n---\nA cow.\n",
		],
	])("writes tags as they were shown: %s", async (_, before, changes, shown, after) => {
		await put("A.md", before);
		expect(await apply(changes, shown)).not.toBeNull();
		expect(await text("A.md")).toBe(after);
	});

	it.each<[name: string, before: string, shown: Record<string, string>]>([
		[
			"are others than were shown",
			"---\ntags: {a: 1}\n---\nA.\n",
			diff("@@ -1,4 +1,4 @@", " ---", "-tags: a", "+tags: [a, new]", " ---", " A."),
		],
		["were not shown", "---\ntags: a\n---\nA.\n", {}],
		[
			"would be written with a mark in place of what is hidden",
			"---\ntags: a\n---\nA.\n",
			diff("@@ -1,4 +1,4 @@", " ---", "-tags: a", "+tags: [REDACTED:pin]", " ---", " A."),
		],
		["came in between", "---\ntags: a\n---\nA.\n", diff("@@ -1 +1,4 @@", "+---", "+tags: [new]", "+---", " A.")],
	])("writes nothing where properties %s", async (_, before, shown) => {
		await put("A.md", before);
		expect(await apply([add], shown)).toBeNull();
		expect(await text("A.md")).toBe(before);
	});
});
