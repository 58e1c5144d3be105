import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage, type Scheme } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { LOG_VAULT, SCRIPT_NOTES } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;

describe.skipIf(missing !== null)(
	`everyone's screen, on the page in Chromium${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Light", files: { ...LOG_VAULT, ...SCRIPT_NOTES } }]);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		const open = async (scheme: Scheme = "light"): Promise<WatchedPage> => {
			const watched = await WatchedPage.open(scheme, () => daemon.url);
			await watched.page.goto(await daemon.pageAddress());
			await watched.page.locator(".sj-input").waitFor();
			return watched;
		};
		const search = async (page: Page, text: string): Promise<void> => {
			await page.locator(".sj-input").fill(text);
			await page.locator(".sj-search:not(.is-busy)").waitFor();
		};
		const STATES = {
			facets: "lantern",
			answer: "when is the fog horn tested?",
			weak: "frumptious bloviate quixotic overnight",
			nothing: "tag:none",
			scripts: "lighthouse",
		};

		it.each(Object.entries(STATES))(
			"bursts nothing and leaves room for results at every width (%s)",
			async (state, query) => {
				const watched = await open();
				const { page } = watched;
				await search(page, query);
				for (const [width, height] of [
					[260, 640],
					[320, 256],
					[320, 640],
					[420, 800],
					[853, 533],
					[1280, 800],
				] as const) {
					await page.setViewportSize({ width, height });
					expect(
						await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
					).toBeLessThanOrEqual(0);
					if (state !== "nothing")
						expect((await page.locator(".sj-results").boundingBox())?.height).toBeGreaterThanOrEqual(120);
				}
			},
		);

		it("reads from right to left what is written so, in box, card and reader", async () => {
			const watched = await open();
			const { page } = watched;
			await search(page, "\u0627\u0644\u0641\u0627\u0646\u0648\u0633");
			await page.locator(".sj-result", { hasText: "\u0644\u064a\u0644\u0627" }).waitFor();
			await page.locator(".sj-reader p[dir]", { hasText: "\u0644\u064a\u0644\u0627" }).waitFor();
			const directions = await page.evaluate(() =>
				[".sj-input", ".sj-result .sj-snippet", ".sj-reader p[dir]"].map((selector) =>
					document.querySelector(selector)?.matches(":dir(rtl)"),
				),
			);
			expect(directions).toEqual([true, true, true]);
		});

		it("shows in forced colours what is pressed, selected and how likely", async () => {
			const watched = await open();
			const { page } = watched;
			await page.emulateMedia({ forcedColors: "active" });
			await search(page, "lantern");
			await page.locator(".sj-scope-button").click();
			const outline = (selector: string): Promise<string> =>
				page
					.locator(selector)
					.first()
					.evaluate((element) => window.getComputedStyle(element).outlineStyle);
			expect([
				await outline('.sj-mode[aria-pressed="true"]'),
				await outline('.sj-mode[aria-pressed="false"]'),
				await outline(".sj-row.is-selected"),
			]).toEqual(["solid", "none", "solid"]);
			const bars = await page
				.locator(".sj-result .sj-tier-low span")
				.evaluateAll((spans) => spans.slice(0, 2).map((span) => window.getComputedStyle(span).backgroundColor));
			expect(bars.length === 0 || bars[0] !== bars[1]).toBe(true);
		});
	},
);
