import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { steadyTree } from "./support/looks";
import { openObsidian } from "./support/obsidian/serve";
import { WORK_VAULT } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
/** Trees of the screens as assistive technology gets them, to be read in review. */
const TREES = join(import.meta.dirname, "aria");
const VAULT = { ...WORK_VAULT, "Home.md": "# Home\n\n```scrubjay\ntag:runbook\nview: table\n```\n" };
/** Every pointer, width and mode in which a screen has to hold. */
async function holds(watched: WatchedPage): Promise<void> {
	const { page } = watched;
	expect(await watched.violations()).toEqual([]);
	await page.setViewportSize({ width: 320, height: 640 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
	await page.emulateMedia({ forcedColors: "active" });
	expect(await watched.violations()).toEqual([]);
	await page.emulateMedia({ forcedColors: "none" });
	await page.setViewportSize({ width: 1280, height: 800 });
}

async function treeOf(element: Locator): Promise<string> {
	return steadyTree(await element.ariaSnapshot());
}

describe.skipIf(missing !== null)(
	`every screen, read aloud, narrow and in forced colours${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;
		let browser: Browser;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Work", files: VAULT }]);
			browser = await launch();
		});
		afterAll(async () => {
			await browser?.close();
			await daemon?.remove();
		});

		const onPage = async (): Promise<WatchedPage> => {
			const watched = await WatchedPage.open(browser, "light", () => daemon.url);
			await watched.page.goto(await daemon.pageAddress());
			await watched.page.locator(".sj-input").waitFor();
			return watched;
		};
		const inObsidian = async (): Promise<WatchedPage> => {
			const watched = await WatchedPage.open(browser, "light", () => "https://obsidian.invalid");
			await openObsidian(watched.page, daemon.home, {
				name: "Work",
				folder: daemon.vaultOf("Work"),
				files: VAULT,
			});
			await watched.page.evaluate(() => window.frame.command("pair"));
			await watched.page.locator(".notice", { hasText: "This vault is paired" }).waitFor();
			await watched.page.locator(".status-bar", { hasText: "notes" }).waitFor();
			return watched;
		};
		const search = async (page: Page): Promise<void> => {
			await page.locator(".sj-input").fill("rolling back a deploy");
			await page.locator(".sj-search:not(.is-busy)").waitFor();
			await page.locator(".sj-result.is-selected", { hasText: "Rolling back a deploy" }).waitFor();
		};

		it.each([
			["profiles", "Profiles", ".sj-card"],
			["status", "Status", '.sj-status .sj-card:has-text("the whole vault")'],
			["credentials", "Credentials", ".sj-finding-lines:not([hidden])"],
			["history", "History", ".sj-pane > *"],
			["clients", "Clients", ".sj-card"],
		])("holds on the page: %s", async (name, tab, sign) => {
			const watched = await onPage();
			const { page } = watched;
			await page.getByRole("tab", { name: tab }).click();
			const panel = page.getByRole("tabpanel");
			await panel.locator(sign).first().waitFor();
			await expect(await treeOf(panel)).toMatchFileSnapshot(join(TREES, `screen-${name}.txt`));
			await holds(watched);
			expect(watched.errors).toEqual([]);
			await watched.close();
		});

		it("holds on the page: the reader, and the picture of links", async () => {
			const watched = await onPage();
			const { page } = watched;
			await search(page);
			await page.locator(".sj-reader .sj-sentence").first().waitFor();
			await expect(await treeOf(page.locator(".sj-reader"))).toMatchFileSnapshot(join(TREES, "reader.txt"));
			await holds(watched);
			await page.locator(".sj-input").focus();
			await page.keyboard.press("Control+g");
			await page.locator(".sj-graph-note.is-hop-0:focus").waitFor();
			await expect(await treeOf(page.locator(".sj-graph"))).toMatchFileSnapshot(join(TREES, "graph.txt"));
			await holds(watched);
			const stops = await page.locator('.sj-graph [tabindex="0"]').count();
			expect(stops).toBe(1);
			await watched.close();
		});

		it.each([
			["related", ".sj-related-note"],
			["credentials", ".sj-finding"],
			["status", '.sj-card:has-text("the whole vault")'],
		])("holds in Obsidian: %s", async (name, sign) => {
			const watched = await inObsidian();
			const { page } = watched;
			await page.evaluate(() => window.frame.edit("Runbooks/Rolling back a deploy.md", 0));
			await page.evaluate((type) => window.frame.showPane(type), `scrubjay-${name}`);
			await page.locator(sign).first().waitFor();
			await expect(await treeOf(page.locator(".mod-right-split"))).toMatchFileSnapshot(
				join(TREES, `pane-${name}.txt`),
			);
			expect(await watched.violations()).toEqual([]);
			expect(watched.errors).toEqual([]);
			await watched.close();
		});

		it("holds in Obsidian: a block in a note, and the search window with its reader, below which no preview opens", async () => {
			const watched = await inObsidian();
			const { page } = watched;
			await page.evaluate(() => window.frame.read("Home.md"));
			await page.locator(".sj-block td").first().waitFor();
			await expect(await treeOf(page.locator(".sj-block"))).toMatchFileSnapshot(join(TREES, "block.txt"));
			await page.evaluate(() => window.frame.command("search"));
			await search(page);
			await page.locator(".modal .sj-reader .sj-sentence").first().waitFor();
			await expect(await treeOf(page.locator(".modal .sj-columns-reader"))).toMatchFileSnapshot(
				join(TREES, "modal-reader.txt"),
			);
			expect(await watched.violations()).toEqual([]);
			const layers = await page.evaluate(() => {
				const preview = document.body.appendChild(createDiv({ cls: "popover hover-popover" }));
				const layer = Number(window.getComputedStyle(preview).zIndex);
				preview.remove();
				return layer;
			});
			expect(layers).toBe(51);
			await watched.close();
		});
	},
);
