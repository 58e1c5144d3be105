import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IDENTITY, http, TOKEN, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { frozen } from "../../src/host/obsidian/frozenBlock";
import { FakeDaemon, response, result, status } from "../helpers/fakeDaemon";
import { runPlugin, Sight, type Running } from "../helpers/obsidian";

interface Child {
	load(): void;
	unload(): void;
}

describe("blocks in notes", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;
	const drawn: Child[] = [];

	/** As Obsidian draws a block. done: what an export waits for. */
	const draw = (
		source: string,
		sourcePath = "Home.md",
		getSectionInfo = (): unknown => null,
	): { element: HTMLElement; child: Child; done: unknown } => {
		const element = createDiv();
		document.body.append(element);
		let child: Child | undefined;
		const addChild = (added: Child): void => {
			child = added;
			drawn.push(added);
			added.load();
		};
		const process = running.plugin.markdownCodeBlockProcessors__.get("scrubjay");
		const done: unknown = process?.(source, element, { sourcePath, addChild, getSectionInfo } as never);
		if (!child) throw new Error("The block was not drawn.");
		return { element, child, done };
	};
	const change = (): void => void running.app.vault.trigger("modify", running.app.vault.getFileByPath("Open.md"));

	beforeEach(async () => {
		vi.stubGlobal("IntersectionObserver", Sight);
		home = homeOfDaemon();
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/profiles", () => ({ profiles: [] }))
			.on("POST /v1/search", () => response([result()]));
		running = await runPlugin({ "Open.md": "" }, http(daemon, IDENTITY));
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
	});
	afterEach(() => {
		// Else one that is not looked at yet would be, in the middle of the next test.
		for (const child of drawn.splice(0)) child.unload();
		running.plugin.onunload();
		vi.unstubAllEnvs();
		vi.unstubAllGlobals();
		rmSync(home, { recursive: true });
		document.body.replaceChildren();
		Sight.all.length = 0;
	});

	it("has an export wait for the answer", async () => {
		const { element, done } = draw("dough");
		expect(element.textContent).not.toContain("Bread");
		await done;
		expect(element.textContent).toContain("Bread");
	});

	it("becomes a list of links where its user wants that, and only where it stands as it was drawn", async () => {
		const note = "# Home\n```scrubjay\ndough\n```\nBelow.\n";
		const { vault } = running.app;
		const file = await vault.create("Frozen.md", note);
		const { element, done } = draw("dough", file.path, () => ({ text: note, lineStart: 1, lineEnd: 3 }));
		await done;
		const keep = (): void => {
			const buttons = [...element.querySelectorAll("button")];
			buttons.find(({ textContent }) => textContent === "Keep as links")?.click();
		};
		await vault.modify(file, `Above.\n${note}`);
		keep();
		await settled(() => running.notices.length === 1);
		expect([await vault.read(file), running.notices[0]]).toEqual([
			`Above.\n${note}`,
			"The note has changed meanwhile, so it stays as it is",
		]);
		await vault.modify(file, note);
		keep();
		await settled(() => running.notices.length === 2);
		expect(running.notices[1]).toContain("The block is links now");
		expect(await vault.read(file)).toMatch(/^# Home\n- \[Bread\]\(obsidian:.*\)\nBelow\.\n$/);
	});

	it.each<[name: string, text: string, lines: [number, number], after: string | null]>([
		["alone", "```scrubjay\ndough\n```", [0, 2], "- a\n- b"],
		["with other line ends", "x\r\n~~~scrubjay\r\ndough\r\n~~~\r\ny\r\n", [1, 3], "x\r\n- a\r\n- b\r\ny\r\n"],
		["with another query by now", "```scrubjay\nbread\n```", [0, 2], null],
		["in a quotation", "> ```scrubjay\n> dough\n> ```", [0, 2], null],
		["in another language", "```js\ndough\n```", [0, 2], null],
		["nobody knows where", "```scrubjay\ndough\n```", [-1, -1], null],
	])("is replaced to the byte, or stays: a block %s", (_, text, [lineStart, lineEnd], after) => {
		expect(frozen(text, { source: "dough", lineStart, lineEnd }, ["- a", "- b"])).toBe(after);
	});

	it("has an export wait for a daemon that is away no longer than that is known", async () => {
		daemon.isAway = true;
		const { element, done } = draw("dough");
		await done;
		expect(element.textContent).toContain("Scrubjay does not answer");
	});

	it("shows at once what it showed, and asks once, however often it is scrolled away and back", async () => {
		const first = draw("dough");
		await first.done;
		for (let round = 0; round < 10; round += 1) {
			first.child.unload();
			const again = draw("dough");
			expect(again.element.textContent).toContain("Bread");
			await again.done;
			again.child.unload();
		}
		expect(daemon.searches).toHaveLength(1);
		await draw("dough", "Other.md").done;
		expect(daemon.searches).toHaveLength(2);
	});

	it("takes a thousand changes as one, and asks for what is in sight alone", async () => {
		const queries = ["one", "two", "three"];
		for (const query of queries) await draw(query).done;
		await settled(() => Sight.all.length === 3);
		Sight.all[1]?.see(true);
		vi.useFakeTimers();
		for (let note = 0; note < 1_000; note += 1) change();
		expect(vi.getTimerCount()).toBe(1);
		vi.setSystemTime(Date.now() + 60_000);
		await vi.advanceTimersByTimeAsync(10_000);
		vi.useRealTimers();
		await settled(() => daemon.searches.length > 3);
		expect(daemon.searches.map(({ query }) => query.split(" ")[0])).toEqual([...queries, "two"]);
		Sight.all[0]?.see(true);
		await settled(() => daemon.searches.length > 4);
		expect(daemon.searches.at(-1)?.query).toContain("one");
	});
});
