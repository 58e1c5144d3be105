import { rmSync } from "node:fs";
import type { EditorSuggest } from "obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchResult } from "../../src/api/wire";
import { IDENTITY, http, TOKEN, homeOfDaemon } from "../helpers/daemonHttp";
import { FakeDaemon, response, result, status } from "../helpers/fakeDaemon";
import { runPlugin, type Running } from "../helpers/obsidian";

/** One line of an editor. */
class Line {
	constructor(public text: string) {}
	getLine = (): string => this.text;
	replaceRange = (by: string, start: { ch: number }, end: { ch: number }): void => {
		this.text = this.text.slice(0, start.ch) + by + this.text.slice(end.ch);
	};
}

describe("links that are suggested by meaning", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;
	let suggest: EditorSuggest<SearchResult>;

	beforeEach(async () => {
		home = homeOfDaemon();
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/profiles", () => ({ profiles: [] }))
			.on("POST /v1/search", () => response([result()]));
		running = await runPlugin({ "Open.md": "" }, http(daemon, IDENTITY));
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		suggest = running.plugin.editorSuggests__[0] as unknown as EditorSuggest<SearchResult>;
	});
	afterEach(() => {
		running.plugin.onunload();
		vi.unstubAllEnvs();
		rmSync(home, { recursive: true });
	});

	const triggered = (text: string): string | undefined =>
		suggest.onTrigger({ line: 0, ch: text.length }, new Line(text) as never, null)?.query;
	/** What a line becomes once the first suggestion is chosen; `|` is the cursor. */
	const chosen = async (text: string): Promise<string> => {
		const ch = text.indexOf("|");
		const editor = new Line(text.replace("|", ""));
		const found = suggest.onTrigger({ line: 0, ch }, editor as never, null);
		if (!found) throw new Error("Nothing was triggered.");
		suggest.context = { ...found, editor, file: null } as never;
		const [first] = await suggest.getSuggestions(suggest.context);
		if (!first) throw new Error("Nothing was suggested.");
		suggest.selectSuggestion(first, new MouseEvent("click"));
		return editor.text;
	};

	it.each([
		["See [?wetter dough", "wetter dough"],
		["[?a", undefined],
		["[? ", undefined],
		["[[wetter", undefined],
		["[?done] more", undefined],
		["A question?", undefined],
	])("are asked for by %s: %s", (text, query) => {
		expect(triggered(text)).toBe(query);
	});

	it("become a link in the place of what was typed, with the bracket that the editor closed", async () => {
		expect(await chosen("See [?wetter dough| now")).toMatch(/^See \[Bread\]\(obsidian:.*\) now$/);
		expect(await chosen("See [?wetter dough|] now")).toMatch(/^See \[Bread\]\(obsidian:.*\) now$/);
		expect(daemon.searches[0]).toMatchObject({ query: "wetter dough", remember: false });
	});

	it("are asked for once typing pauses, and are none while nobody answers", async () => {
		const asked = (query: string): Promise<SearchResult[]> =>
			Promise.resolve(suggest.getSuggestions({ query } as never));
		const [first, second] = await Promise.all([asked("wet"), asked("wetter")]);
		expect([first.length, second.length]).toEqual([0, 1]);
		expect(daemon.searches.map(({ query }) => query)).toEqual(["wetter"]);
		daemon.isAway = true;
		expect(await asked("dough")).toEqual([]);
	});

	it("show the note, its folder and what it says, as text", () => {
		const element = createDiv();
		suggest.renderSuggestion(result({ title: "<b>Bread</b>" }), element);
		expect(element.textContent).toBe("<b>Bread</b>Kitchen · A wetter dough ferments faster.");
	});

	it("can be switched off", async () => {
		await running.plugin.saveData({ suggestLinks: false });
		await running.plugin.onExternalSettingsChange();
		expect(triggered("See [?wetter dough")).toBeUndefined();
	});
});
