import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Language } from "../../src/words/languages";
import { MISSING_BROWSER, WatchedPage } from "./browser";
import { MISSING_DAEMON, RunningDaemon } from "./daemon";
import { Newcomer, writeKnownVault } from "./newcomer";
import { leftInEnglish, readTexts, saidIn } from "./readings";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 260, height: 640 };
/** What a newcomer's path does not come by: other screens, and searches that find much, or nothing, or are not taken as written. */
const PLACES = [
	"status",
	"credentials",
	"searches",
	"clients",
	"profiles",
	"search?q=heron",
	"search?q=heron+xylophone+quixotic",
	"search?q=tag%3Anone",
	'search?q="heron',
	"search?q=when+is+the+heron+at+the+weir%3F",
];

/** The newcomer's path in these languages, on one daemon: with the mouse alone, and with the keyboard alone. */
export function describePaths(languages: readonly Language[]): void {
	describe.skipIf(missing !== null)(`a newcomer${missing ? ` (skipped: ${missing})` : ""}`, () => {
		let daemon: RunningDaemon;
		let watched: WatchedPage;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([]);
			writeKnownVault(daemon);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		afterEach(async () => {
			await daemon.removeProfiles();
		});

		/** In every state: nothing in English, nothing burst where there is little room. English itself is looked at in `states.test.ts`. */
		const look = async (language: Language, state: string): Promise<void> => {
			const { page } = watched;
			const texts = await readTexts(page);
			expect(leftInEnglish(texts, language), state).toEqual([]);
			expect(saidIn(texts, language), state).toBeGreaterThan(5);
			await page.setViewportSize(NARROW);
			expect(
				await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
				`${state} at ${NARROW.width} px`,
			).toBeLessThanOrEqual(0);
			await page.setViewportSize(WIDE);
		};

		const lookAt = async (language: Language, place: string): Promise<void> => {
			const { page } = watched;
			await page.goto(`${daemon.url}/#/${place}`);
			await page
				.locator(
					place.startsWith("search?")
						? ".sj-search:not(.is-busy)"
						: ".page-screen:not([hidden]) h2, .page-screen:not([hidden]) .sj-notice",
				)
				.first()
				.waitFor();
			if (place === "search?q=heron") {
				await page.locator(".sj-result").first().waitFor();
				await page.locator(".sj-input").press("Control+i");
				await page.locator(".sj-explain p").waitFor();
			}
			await look(language, place.replace(/\W+/g, "-"));
		};

		describe.each(languages)("who reads %s", (language) => {
			it.each(["mouse", "keyboard"] as const)(
				"comes from nothing to a note, along its link and back, with the %s alone",
				async (way) => {
					watched = await WatchedPage.open("light", () => daemon.url, language);
					const { page } = watched;
					await page.goto(await daemon.pageAddress());
					const isLookedAt = way === "mouse" && language !== "en";
					const newcomer = new Newcomer(page, language, (state) =>
						isLookedAt ? look(language, state) : Promise.resolve(),
					);
					await (way === "mouse" ? newcomer.withMouse() : newcomer.withKeyboard());
					expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
					if (isLookedAt) for (const place of PLACES) await lookAt(language, place);
					expect(watched.errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
					expect(watched.strangers).toEqual([]);
				},
			);
		});
	});
}
