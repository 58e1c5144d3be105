import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { writeKnownVault } from "./support/newcomer";
import { LOG_VAULT } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
const PASSPHRASE = "heron by the weir";

/** Somebody's hands on the page: each click, and each key but the letters of a text, is counted. */
class Hands {
	clicks = 0;
	keys = 0;

	constructor(readonly page: Page) {}

	async click(target: Locator): Promise<void> {
		await target.hover();
		await target.click();
		this.clicks += 1;
	}

	async doubleClick(target: Locator): Promise<void> {
		await target.dblclick();
		this.clicks += 2;
	}

	async press(...keys: string[]): Promise<void> {
		for (const key of keys) await this.page.keyboard.press(key);
		this.keys += keys.length;
	}

	/** Letters of a query or a name. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
	}
}

type Way = "mouse" | "keys";

interface Task {
	readonly name: string;
	readonly way: Way;
	/** Clicks, or keys besides the letters of a text, that it may take. */
	readonly most: number;
	/** Begins on the search, with an empty box that has the focus. */
	readonly do: (hands: Hands) => Promise<void>;
	/** What shows that it is done. */
	readonly isDone: (page: Page, watched: WatchedPage) => Promise<void>;
}

const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name, exact: true });
const results = async (page: Page): Promise<void> => {
	await page.locator(".sj-search:not(.is-busy)").waitFor();
	await page.locator(".sj-result").first().waitFor();
};
const opened = async (_: Page, watched: WatchedPage): Promise<void> =>
	expect.poll(async () => (await watched.opened())[0] ?? "").toMatch(/^obsidian:.*Lantern%20glass/);
const narrowed = (filter: string) => async (page: Page) => {
	await expect.poll(() => page.locator(".sj-input").inputValue()).toContain(filter);
	await page.locator(".sj-search:not(.is-busy)").waitFor();
};
const lessByOne = async (page: Page): Promise<void> => {
	await page.locator(".sj-banner", { hasText: /1 note that you (hid|left out of this search)/ }).waitFor();
	await page.locator(".page-toast").getByRole("button", { name: "Undo" }).click();
};
const explained = (page: Page): Promise<void> => page.locator(".sj-explain p").first().waitFor();
const search = async (hands: Hands, query: string): Promise<void> => {
	await hands.type(query);
	await results(hands.page);
};

const TASKS: readonly Task[] = [
	{
		name: "open the first result",
		way: "mouse",
		most: 2,
		do: async (hands) => {
			await search(hands, "lantern glass cracked");
			await hands.doubleClick(hands.page.locator(".sj-result").first());
		},
		isDone: opened,
	},
	{
		name: "open the first result",
		way: "keys",
		most: 1,
		do: async (hands) => {
			await search(hands, "lantern glass cracked");
			await hands.press("Enter");
		},
		isDone: opened,
	},
	{
		name: "narrow to a folder",
		way: "mouse",
		most: 1,
		do: async (hands) => {
			await search(hands, "lantern");
			await hands.click(hands.page.locator(".sj-facet", { hasText: "Log/Sea" }));
		},
		isDone: narrowed("path:Log/Sea"),
	},
	{
		name: "narrow to a folder",
		way: "keys",
		most: 2,
		do: async (hands) => {
			await search(hands, "lantern path:Repa");
			await hands.page.locator(".sj-suggestion", { hasText: "Repairs" }).waitFor();
			await hands.press("Enter");
		},
		isDone: narrowed("path:Repairs"),
	},
	{
		name: "last week's notes",
		way: "mouse",
		most: 2,
		do: async (hands) => {
			await hands.click(hands.page.locator(".sj-filter", { hasText: "modified:" }));
			await hands.click(hands.page.locator(".sj-suggestion", { hasText: "last week" }));
		},
		isDone: narrowed('modified:"last week"'),
	},
	{
		name: "last week's notes",
		way: "keys",
		most: 5,
		do: async (hands) => {
			await hands.type("mo");
			await hands.page.locator(".sj-suggestion", { hasText: "modified:" }).waitFor();
			await hands.press("Tab");
			await hands.page.locator(".sj-suggestion", { hasText: "last week" }).waitFor();
			await hands.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter");
		},
		isDone: narrowed('modified:"last week"'),
	},
	{
		name: "a name half remembered",
		way: "keys",
		most: 0,
		do: (hands) => search(hands, "lantern gla"),
		isDone: (page) => page.locator(".sj-result.is-selected .sj-title", { hasText: "Lantern glass" }).waitFor(),
	},
	{
		name: "why is it there",
		way: "mouse",
		most: 1,
		do: async (hands) => {
			await search(hands, "lantern");
			await hands.click(hands.page.locator(".sj-result").first().getByTitle("Why this result"));
		},
		isDone: explained,
	},
	{
		name: "why is it there",
		way: "keys",
		most: 1,
		do: async (hands) => {
			await search(hands, "lantern");
			await hands.press("Control+i");
		},
		isDone: explained,
	},
	{
		name: "get rid of a bad result",
		way: "mouse",
		most: 1,
		do: async (hands) => {
			await search(hands, "lantern storm");
			await hands.click(hands.page.locator(".sj-result").first().getByTitle("Not for this search"));
		},
		isDone: lessByOne,
	},
	{
		name: "get rid of a bad result",
		way: "keys",
		most: 1,
		do: async (hands) => {
			await search(hands, "lantern storm");
			await hands.press("Shift+Delete");
		},
		isDone: lessByOne,
	},
	{
		name: "add a second vault",
		way: "mouse",
		most: 5,
		do: async (hands) => {
			await hands.click(tab(hands.page, "Profiles"));
			await hands.click(hands.page.getByRole("button", { name: "Add a vault" }));
			await hands.click(hands.page.locator(".sj-vaults button", { hasText: "Lake" }).first());
			await hands.click(hands.page.locator(".sj-tree input").first());
			await hands.click(hands.page.getByRole("button", { name: "Add this vault" }));
		},
		isDone: (page) => page.locator(".sj-card[data-profile]", { hasText: "Lake" }).waitFor(),
	},
	{
		name: "lock an encrypted profile",
		way: "mouse",
		most: 2,
		do: async (hands) => {
			await hands.click(tab(hands.page, "Profiles"));
			const card = hands.page.locator(".sj-card[data-profile]", { hasText: "Light" });
			await hands.click(card.getByRole("button", { name: "Lock", exact: true }));
		},
		isDone: (page) => page.locator(".sj-card[data-profile]", { hasText: "Locked" }).waitFor(),
	},
];

/** Each with the fewest that an audit by hand called fine; ten broken links are in `review.test.ts`, twenty credentials in `secrets.test.ts`. */
describe.skipIf(missing !== null)(`clicks and keys that a task takes${missing ? ` (skipped: ${missing})` : ""}`, () => {
	let daemon: RunningDaemon;
	const table: string[] = [];

	beforeAll(async () => {
		daemon = await RunningDaemon.start([{ name: "Light", files: LOG_VAULT }]);
		writeKnownVault(daemon);
		await daemon.encrypt("Light", PASSPHRASE);
	});
	afterAll(async () => {
		process.stdout.write(`${table.join("\n")}\n`);
		await daemon?.remove();
	});

	it.each(TASKS)("$name by $way: $most at most", async ({ name, way, most, do: work, isDone }) => {
		const watched = await WatchedPage.open("light", () => daemon.url);
		const { page } = watched;
		await page.goto(await daemon.pageAddress());
		await page.locator(".sj-input:focus").waitFor();
		const hands = new Hands(page);
		await work(hands);
		await isDone(page, watched);
		const took = hands.clicks + hands.keys;
		table.push(`${name} by ${way}: ${took} (${most} at most)`);
		expect(took).toBeLessThanOrEqual(most);
		expect(watched.errors).toEqual([]);
	});
});
