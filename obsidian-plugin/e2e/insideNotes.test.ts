import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage, type Scheme } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { openObsidian } from "./support/obsidian/serve";
import { WORK_VAULT } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
const HOME =
	"# Home\n\n```scrubjay\nrollback\nlimit: 3\nview: cards\n```\n\n```scrubjay\nquery: tag:runbook\nview: table\n```\n\n```scrubjay\nrollback\nview: count\n```\n\n```scrubjay\nview: map\n```\n";
const REPORT =
	"# Incident report\n\nThe rolling back a deploy took an hour, and restoring a backup was tried. The pipeline stayed frozen while the error rate was watched.\n";
const VAULT = { ...WORK_VAULT, "Home.md": HOME, "Meetings/Incident report.md": REPORT };

describe.skipIf(missing !== null)(
	`the plugin inside notes, in Chromium${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Work", files: VAULT }]);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		const open = async (scheme: Scheme = "light"): Promise<WatchedPage> => {
			const watched = await WatchedPage.open(scheme, () => "https://obsidian.invalid");
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
		const read = (page: Page, path: string): Promise<void> =>
			page.evaluate((name) => window.frame.read(name), path);

		it.each<Scheme>(["light", "dark"])(
			"shows what blocks ask for, opens it, and leads to the search (%s)",
			async (scheme) => {
				const watched = await open(scheme);
				const { page } = watched;
				await read(page, "Home.md");
				const blocks = page.locator(".sj-block");
				await blocks.nth(0).locator("li").nth(2).waitFor();
				await blocks.nth(1).locator("td", { hasText: "Runbooks" }).first().waitFor();
				await blocks
					.nth(2)
					.locator(".sj-block-foot", { hasText: /^\d+ notes/ })
					.waitFor();
				expect(await blocks.nth(3).innerText()).toContain("view: takes list, cards, table, count, not “map”.");
				expect(await blocks.locator(".sj-block-link").allTextContents()).not.toContain("Home");
				for (const width of [1280, 320]) {
					await page.setViewportSize({ width, height: 800 });
					expect(await watched.violations()).toEqual([]);
				}
				await blocks.nth(0).locator(".sj-block-link", { hasText: "Rolling back a deploy" }).press("Enter");
				await expect
					.poll(() => page.evaluate(() => window.frame.opened[0]?.[0]))
					.toBe("Runbooks/Rolling back a deploy.md");
				await blocks.nth(0).getByRole("button", { name: "Open the search" }).click();
				await page.locator(".modal .sj-result").first().waitFor();
				expect(await page.locator(".modal .sj-input").inputValue()).toBe("rollback");
				expect([watched.errors, watched.strangers]).toEqual([[], []]);
			},
		);

		it("renews a block when the index has changed, and keeps it while the daemon is away", async () => {
			const watched = await open();
			const { page } = watched;
			await read(page, "Home.md");
			const rows = page.locator(".sj-block").nth(1).locator(".sj-block-link");
			await rows.nth(1).waitFor();
			const path = "Runbooks/Draining a node.md";
			writeFileSync(
				join(daemon.vaultOf("Work"), path),
				"---\ntags: [runbook]\n---\n# Draining a node\n\nCordon it first.\n",
			);
			await page.evaluate((name) => window.frame.write(name, "# Draining a node\n"), path);
			await page.locator(".sj-block-link", { hasText: "Draining a node" }).waitFor();
			await daemon.stop();
			await page.evaluate((name) => window.frame.write(name, "# Draining a node\n\nMore.\n"), path);
			await page.locator(".sj-block-note", { hasText: "Scrubjay does not answer." }).first().waitFor();
			expect(await rows.count()).toBe(3);
			await daemon.run(0);
			await expect.poll(() => page.locator(".sj-block-note", { hasText: "does not answer" }).count()).toBe(0);
			expect(watched.errors).toEqual([]);
		});

		it.each<Scheme>(["light", "dark"])(
			"shows related notes below the note, with the note's own scrolling (%s)",
			async (scheme) => {
				const watched = await open(scheme);
				const { page } = watched;
				await page.evaluate(() => window.frame.below(true));
				await page.evaluate(() => window.frame.edit("Meetings/Incident report.md", 2));
				const below = page.locator(".cm-sizer > .sj-below");
				await below.locator(".sj-related-note").nth(2).waitFor();
				const [{ scrolled, high }, rows] = await Promise.all([
					below
						.locator(".sj-results")
						.evaluate((list) => ({
							scrolled: list.scrollHeight - list.clientHeight,
							high: list.getBoundingClientRect().bottom,
						})),
					below
						.locator(".sj-related-note")
						.evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().bottom))),
				]);
				expect([scrolled, rows <= high + 1]).toEqual([0, true]);
				expect(await watched.violations()).toEqual([]);
				await below.locator(".sj-results").focus();
				await page.keyboard.press("Enter");
				expect(await page.evaluate(() => window.frame.opened.length)).toBe(1);
				await page.evaluate(() => window.frame.below(false));
				expect(await page.locator(".sj-below").count()).toBe(0);
				expect([watched.errors, watched.strangers]).toEqual([[], []]);
			},
		);

		it("leaves no listener and no element behind in a browser, switched off and on six times", async () => {
			const { page } = await open();
			const devtools = await page.context().newCDPSession(page);
			await devtools.send("Performance.enable");
			const left = async (): Promise<Record<string, number>> => {
				await devtools.send("HeapProfiler.collectGarbage");
				const { metrics } = await devtools.send("Performance.getMetrics");
				const counted = ["JSEventListeners", "Nodes"];
				return Object.fromEntries(
					metrics.filter(({ name }) => counted.includes(name)).map(({ name, value }) => [name, value]),
				);
			};
			const once = async (): Promise<void> => {
				await page.evaluate(() => window.frame.below(true));
				await page.evaluate(() => window.frame.edit("Meetings/Incident report.md", 2));
				await page.evaluate(() => window.frame.showPane("scrubjay-related"));
				await page.locator(".mod-right-split .sj-related-note").first().waitFor();
				await page.locator(".sj-below .sj-related-note").first().waitFor();
				await page.evaluate(() => window.frame.command("search"));
				await page.locator(".modal .sj-line").first().waitFor();
				await page.evaluate(() => window.frame.reload());
				await page.locator(".modal, .sj-below, .sj-related").first().waitFor({ state: "detached" });
			};
			for (let time = 0; time < 3; time += 1) await once(); // what is made once stays
			const before = await left();
			for (let time = 0; time < 6; time += 1) await once();
			const more = async (): Promise<unknown[]> => {
				const after = Object.entries(await left());
				return after
					.filter(([name, count]) => count > (before[name] ?? 0) + 3)
					.map((each) => [...each, before]);
			};
			// A reply that is still on its way holds what asked for it a moment longer; what leaks stays for good.
			await expect.poll(more, { timeout: 60_000, interval: 200 }).toEqual([]);
		});

		it("links, pins and hides related notes by keyboard alone, with how each begins", async () => {
			const watched = await open("dark");
			const { page } = watched;
			await page.evaluate(() => window.frame.edit("Meetings/Incident report.md", 2));
			await page.evaluate(() => window.frame.showPane("scrubjay-related"));
			const mention = page
				.locator(".sj-related-note", { hasText: "Rolling back a deploy" })
				.locator(".sj-mention");
			await mention.waitFor();
			expect(await page.locator(".sj-related-note .sj-snippet").first().innerText()).not.toBe("");
			expect(await page.getByRole("button", { name: /hidden/ }).count()).toBe(0);
			expect(await watched.violations()).toEqual([]);
			await page.locator(".sj-results").focus();
			while (!(await page.locator(".sj-related-note.is-selected", { hasText: "Rolling back a deploy" }).count()))
				await page.keyboard.press("ArrowDown");
			await page.keyboard.press("l");
			await expect
				.poll(() => page.evaluate(() => window.frame.contents("Meetings/Incident report.md")))
				.toMatch(/The \[\[?.*rolling back a deploy\]?\]?.* took an hour/);
			await page.keyboard.press("p");
			await page.locator(".sj-section", { hasText: "Pinned" }).waitFor();
			await page.keyboard.press("ArrowDown");
			await page.keyboard.press("h");
			const hidden = page.getByRole("button", { name: "1 hidden" });
			await hidden.press("Enter");
			await page.locator(".sj-section", { hasText: "Hidden" }).waitFor();
			expect(await page.locator(".is-hidden-note .sj-line-title").allTextContents()).toEqual([
				"Restoring a backup",
			]);
			expect(await watched.violations()).toEqual([]);
			expect([watched.errors, watched.strangers]).toEqual([[], []]);
		});
	},
);
