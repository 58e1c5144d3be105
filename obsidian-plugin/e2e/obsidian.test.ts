import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage, type Scheme } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import type { Frame } from "./support/obsidian/app";
import { openObsidian } from "./support/obsidian/serve";
import { WORK_SECRET, WORK_VAULT } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;

declare global {
	interface Window {
		frame: Frame;
	}
}

describe.skipIf(missing !== null)(`the shipped plugin in Chromium${missing ? ` (skipped: ${missing})` : ""}`, () => {
	let daemon: RunningDaemon;

	beforeAll(async () => {
		daemon = await RunningDaemon.start([
			{ name: "Garden", files: "sample" },
			{ name: "Work", files: WORK_VAULT },
		]);
	});
	afterAll(async () => {
		await daemon?.remove();
	});

	/** Obsidian with the vault Work, by this name. */
	const unpaired = async (scheme: Scheme = "light", name = "Work"): Promise<WatchedPage> => {
		const watched = await WatchedPage.open(scheme, () => "https://obsidian.invalid");
		await openObsidian(watched.page, daemon.home, { name, folder: daemon.vaultOf("Work"), files: WORK_VAULT });
		await watched.page.locator(".status-bar", { hasText: "Not paired" }).waitFor();
		return watched;
	};
	/** Paired by one command. */
	const open = async (scheme?: Scheme, name?: string): Promise<WatchedPage> => {
		const watched = await unpaired(scheme, name);
		await command(watched.page, "pair");
		await watched.page.locator(".notice", { hasText: "This vault is paired" }).waitFor();
		await watched.page.locator(".status-bar", { hasText: "notes" }).waitFor();
		return watched;
	};
	const command = (page: Page, id: string): Promise<void> => page.evaluate((name) => window.frame.command(name), id);
	const results = ({ page }: WatchedPage): Promise<string[]> =>
		page.locator(".sj-result .sj-title").allTextContents();

	it("pairs in one click and sees the profile of this vault alone", async () => {
		const watched = await unpaired();
		const { page } = watched;
		await page.evaluate(() => window.frame.showPane("scrubjay-status"));
		const pair = page.getByRole("button", { name: "Pair", exact: true });
		await pair.waitFor();
		expect(await watched.violations()).toEqual([]);
		await pair.press("Enter");
		await page.locator(".sj-status .sj-card").waitFor();
		const clients = await daemon.get<{ clients: { name: string; profiles: string[] }[] }>("/v1/clients");
		expect(clients.clients.find(({ name }) => name.startsWith("Obsidian"))?.profiles).toEqual(["Work"]);
	});

	it("searches in the modal and opens the note at the match, by keyboard alone", async () => {
		const watched = await open();
		const { page } = watched;
		await command(page, "search");
		await page.keyboard.type("freeze the pipeline");
		await page.locator(".sj-result .sj-title", { hasText: "Rolling back a deploy" }).waitFor();
		await page.locator(".sj-search:not(.is-busy)").waitFor();
		expect((await results(watched))[0]).toBe("Rolling back a deploy");
		await page.keyboard.press("Enter");
		const [path, state] = await page.evaluate(() => window.frame.opened[0] ?? ["", null]);
		expect(path).toBe("Runbooks/Rolling back a deploy.md");
		const [start, end] = (state as { match: { matches: [number, number][] } }).match.matches[0] ?? [0, 0];
		expect(WORK_VAULT[path]?.slice(start, end).toLowerCase()).toMatch(/freeze|pipeline/);
		expect(await page.locator(".modal").count()).toBe(0);
		await expect.poll(() => daemon.remembered("Work", "freeze the pipeline")).toEqual([path]);
		await command(page, "search");
		await page.keyboard.press("Escape");
		expect(await page.locator(".modal").count()).toBe(0);
		expect([watched.errors, watched.strangers]).toEqual([[], []]);
	});

	it("links, creates, copies, explains and follows links by keyboard alone", async () => {
		const watched = await open();
		const { page } = watched;
		const search = async (): Promise<void> => {
			await command(page, "search");
			await page.keyboard.type("freeze the pipeline");
			await page.locator(".sj-result.is-selected .sj-title", { hasText: "Rolling back a deploy" }).waitFor();
			await page.locator(".sj-search:not(.is-busy)").waitFor();
		};
		await page.evaluate(() => window.frame.edit("Ideas/Feature flags.md", 0));
		await search();
		await page.keyboard.press("Control+i");
		await page.locator(".sj-explain", { hasText: "has freeze and pipeline" }).waitFor();
		await page.keyboard.press("Control+i");
		await page.locator(".sj-explain-line").first().waitFor();
		await page.keyboard.press("Control+e");
		await page.locator(".sj-passage").first().waitFor();
		await page.keyboard.press("Control+c");
		await page.locator(".notice", { hasText: "The link was copied" }).waitFor();
		await page.keyboard.press("Alt+Enter");
		expect(await page.evaluate(() => window.frame.text())).toContain("Rolling back a deploy");
		await search();
		await page.keyboard.press("Shift+Enter");
		await expect.poll(() => page.evaluate(() => window.frame.opened.at(-1)?.[0])).toBe("freeze the pipeline.md");
		await search();
		await page.keyboard.press("Control+Enter");
		await expect
			.poll(() => page.evaluate(() => window.frame.opened.at(-1)?.[0]))
			.toBe("Runbooks/Rolling back a deploy.md");
		expect([watched.errors, watched.strangers]).toEqual([[], []]);
	});

	it("previews a result under the pointer and drags it as a link", async () => {
		const watched = await open();
		const { page } = watched;
		await page.evaluate(() => window.frame.showPane("scrubjay-search"));
		await page.locator(".sj-input").fill("freeze the pipeline");
		const card = page.locator(".sj-result", { hasText: "Rolling back a deploy" });
		await card.hover();
		await expect
			.poll(() => page.evaluate(() => window.frame.hovered.at(-1)))
			.toContain("Runbooks/Rolling back a deploy.md");
		const dragged = (): Promise<string> =>
			card.evaluate((row) => {
				const data = new DataTransfer();
				row.dispatchEvent(new DragEvent("dragstart", { bubbles: true, dataTransfer: data }));
				return data.getData("text/plain");
			});
		await expect.poll(dragged).toMatch(/^!?\[.*Rolling.*\]/); // the search by meaning may draw the rows anew meanwhile
	});

	it("knows its vault by the folder, whatever it is called", async () => {
		const watched = await open("light", "Another name");
		const { page } = watched;
		await command(page, "search");
		await page.keyboard.type("freeze the pipeline");
		await page.locator(".sj-result.is-selected .sj-title", { hasText: "Rolling back a deploy" }).waitFor();
		await page.keyboard.press("Enter");
		await expect
			.poll(() => page.evaluate(() => window.frame.opened[0]?.[0]))
			.toBe("Runbooks/Rolling back a deploy.md");
		await page.evaluate(() => window.frame.showPane("scrubjay-credentials"));
		await page.locator(".sj-finding").first().waitFor();
	});

	it("shows a note of another vault read-only, and opens it where it lives", async () => {
		const watched = await open("dark");
		const { page } = watched;
		const { clients } = await daemon.get<{ clients: { id: string; name: string }[] }>("/v1/clients");
		await daemon.showAll(clients.filter(({ name }) => name === "Obsidian · Work").at(-1)?.id ?? "");
		await command(page, "search");
		await page.keyboard.type("tomato seedlings");
		await page.locator(".sj-result.is-selected").waitFor();
		await page.locator(".sj-search:not(.is-busy)").waitFor();
		const title = (await page.locator(".sj-result.is-selected .sj-title").innerText()).trim();
		await page.keyboard.press("Enter");
		await page.locator(".sj-elsewhere .sj-reader h2", { hasText: title }).waitFor();
		expect(await watched.violations()).toEqual([]);
		await page.getByRole("button", { name: "Open in Garden" }).press("Enter");
		expect((await watched.opened())[0]).toMatch(/^obsidian:\/\/open\?vault=Garden&file=/);
		expect(await page.locator(".sj-elsewhere").count()).toBe(0);
	});

	it("shows what belongs to the note in the editor, and to the section under the cursor", async () => {
		const watched = await open("dark");
		const { page } = watched;
		await page.evaluate(() => window.frame.edit("Runbooks/Rolling back a deploy.md", 2));
		await page.evaluate(() => window.frame.showPane("scrubjay-related"));
		await page.locator(".sj-related h2", { hasText: "Rolling back a deploy" }).waitFor();
		await page.locator(".sj-section", { hasText: "Linked" }).waitFor();
		expect(
			await page.locator(".sj-related .sj-related-note", { hasText: "Restoring a backup" }).innerText(),
		).toContain("linked from here");
		expect(await watched.violations()).toEqual([]);
		await page.getByRole("button", { name: "Follow the section" }).press("Enter");
		await page.locator('.sj-chip[aria-pressed="true"]', { hasText: "Follow the section" }).waitFor();
		await page.locator(".sj-results").focus();
		await page.keyboard.press("Enter");
		await expect.poll(() => page.evaluate(() => window.frame.opened.length)).toBe(1);
	});

	it("reports where this vault's credentials are, never what they are", async () => {
		const watched = await open();
		const { page } = watched;
		await page.evaluate(() => window.frame.showPane("scrubjay-credentials"));
		await page.locator(".sj-finding").first().waitFor();
		const report = await page.locator(".sj-credentials").innerText();
		expect(report).toContain("Rolling back a deploy");
		expect(report).not.toContain(WORK_SECRET);
		await page.locator(".sj-finding").first().press("Enter");
		await expect.poll(() => page.evaluate(() => window.frame.opened.length)).toBe(1);
	});

	it("notices that the daemon left and that it is back, on another port", async () => {
		const watched = await open();
		const { page } = watched;
		await page.evaluate(() => window.frame.showPane("scrubjay-search"));
		await daemon.stop();
		await page.locator(".sj-input").fill("rollback");
		await page.getByText("Scrubjay is not running").waitFor();
		await daemon.run(0);
		await page.locator(".sj-result").first().waitFor();
		expect(watched.errors).toEqual([]);
	});
});
