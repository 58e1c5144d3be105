import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { LOG_VAULT, WORK_VAULT } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;

/** Notes as people write them: long titles, deep folders, several tags, sentences that fill more than two lines. */
const SHORE: Record<string, string> = Object.fromEntries(
	Array.from({ length: 24 }, (_, index) => [
		`Shore/Survey ${1990 + (index % 8)}/Transect ${index}, as seen from the lantern gallery between the old harbour wall and the breakwater.md`,
		`---\ntags: [survey, ${index % 2 === 0 ? "tide" : "wind"}, transect, coast, lantern]\n---\n# Transect ${index}\n\n## Sightings of the day\n\nFrom the gallery the lantern threw a beam as far as the breakwater, and in it some ${index + 20} turnstones fed along the wrack line until the tide turned and the keeper wrote the entry; nobody had counted that many before in this part of the shore.\n`,
	]),
);
const WITH_CARD = "when is the fog horn tested?";
const WITHOUT_CARD = "lantern keeper";

/** Results that are on the screen, in parts: a half of one counts a half. */
function resultsSeen(page: Page): Promise<number> {
	return page.evaluate(() => {
		const list = document.querySelector(".sj-results")?.getBoundingClientRect();
		if (!list) return 0;
		const bottom = Math.min(list.bottom, window.innerHeight);
		return [...document.querySelectorAll(".sj-result")].reduce((seen, row) => {
			const { top, bottom: end, height } = row.getBoundingClientRect();
			return seen + Math.max(0, Math.min(end, bottom) - Math.max(top, list.top)) / height;
		}, 0);
	});
}

describe.skipIf(missing !== null)(`results first, in Chromium${missing ? ` (skipped: ${missing})` : ""}`, () => {
	let daemon: RunningDaemon;

	beforeAll(async () => {
		daemon = await RunningDaemon.start([
			{ name: "Light", files: LOG_VAULT },
			{ name: "Work", files: WORK_VAULT },
			{ name: "Shore", files: SHORE },
		]);
	});
	afterAll(async () => {
		await daemon?.remove();
	});

	it.each<[width: number, height: number, query: string, atLeast: number]>([
		[1280, 800, WITH_CARD, 5],
		[1280, 800, WITHOUT_CARD, 7],
		[853, 533, WITH_CARD, 2.5],
		[853, 533, WITHOUT_CARD, 4],
		[390, 844, WITH_CARD, 4],
		[390, 844, WITHOUT_CARD, 4],
		[260, 600, WITH_CARD, 2],
		[260, 600, WITHOUT_CARD, 2],
	])("shows at %i × %i to “%s” %d results or more", async (width, height, query, atLeast) => {
		const watched = await WatchedPage.open("light", () => daemon.url);
		const { page } = watched;
		await page.setViewportSize({ width, height });
		await page.goto(await daemon.pageAddress());
		await page.locator(".sj-input").fill(query);
		await page.locator(".sj-search:not(.is-busy) .sj-result").first().waitFor();
		const card = page.getByRole("region", { name: "From your notes" });
		await card.waitFor({ state: query === WITH_CARD ? "visible" : "hidden" });
		expect(await resultsSeen(page)).toBeGreaterThanOrEqual(atLeast);
		expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
			0,
		);
		expect([watched.errors, watched.strangers]).toEqual([[], []]);
	});
});
