import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage, type Scheme } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { openObsidian } from "./support/obsidian/serve";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
const FILLER = "The keeper writes the log in ink and reads it aloud at noon, whoever is on watch. ".repeat(12);
const GUIDE = `---
tags: [guide]
---
# Lamp room

${FILLER}

## Signs

Paraffin is stored below. A brass lantern burns paraffin slowly. The lantern hangs high.

> [!warning]- Mind the *glass*
> It is hot.

| part | made of |
|---|---|
| lantern | brass |

\`\`\`sh
trim --lantern
\`\`\`

The flame follows $h = k \\sqrt{t}$, see [[Frame]].

![[Frame#Care]]

![A lantern](https://stranger.invalid/lantern.png) <img src="https://stranger.invalid/spy.png">

## Later

${FILLER} The last lantern is lit.
`;
const VAULT = {
	"Lamp room.md": GUIDE,
	"Frame.md": "# Frame\n\nBrass, and heavy.\n\n## Care\n\nPolish it with chalk.\n",
	"Other.md": "# Other\n\nA lantern elsewhere.\n",
};

describe.skipIf(missing !== null)(
	`reading what was found, in Chromium${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Light", files: VAULT }]);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		const open = async (scheme: Scheme = "light", width = 1280, height = 800): Promise<WatchedPage> => {
			const watched = await WatchedPage.open(scheme, () => daemon.url);
			await watched.page.setViewportSize({ width, height });
			await watched.page.goto(await daemon.pageAddress());
			await watched.page.locator(".sj-input").fill("brass lantern paraffin");
			await watched.page.locator(".sj-search:not(.is-busy)").waitFor();
			await watched.page.locator(".sj-result.is-selected", { hasText: "Lamp room" }).waitFor();
			return watched;
		};
		/** Is it in sight, in the reader? */
		const inSight = (page: Page, selector: string): Promise<boolean> =>
			page
				.locator(selector)
				.first()
				.evaluate((element) => {
					const box = element.getBoundingClientRect();
					const reader = element.closest(".sj-reader")?.getBoundingClientRect();
					return (
						reader !== undefined &&
						box.top >= reader.top &&
						box.bottom <= Math.min(reader.bottom, window.innerHeight)
					);
				});

		it.each<[Scheme, number, number]>([
			["light", 1280, 800],
			["dark", 853, 533],
		])(
			"shows all kinds of text, the sentence that matched in sight, and steps through the matches (%s, %i)",
			async (scheme, width, height) => {
				const watched = await open(scheme, width, height);
				const { page } = watched;
				await page.locator(".sj-sentence").first().waitFor();
				expect((await page.locator(".sj-sentence").allTextContents()).join("")).toBe(
					"A brass lantern burns paraffin slowly.",
				);
				expect(await inSight(page, ".sj-sentence")).toBe(true);
				await page.locator(".sj-embed.is-filled", { hasText: "Polish it with chalk." }).waitFor();
				expect(await page.locator(".sj-embed.is-filled").innerText()).not.toContain("heavy");
				for (const [selector, text] of [
					[".sj-callout summary", "Mind the glass"],
					["td", "brass"],
					["pre", "trim --lantern"],
					[".sj-math", "h = k \\sqrt{t}"],
					[".sj-wikilink", "A lantern"],
				] as const)
					await page.locator(`.sj-reader ${selector}`, { hasText: text }).first().waitFor();
				expect(await watched.violations()).toEqual([]);
				const all = await page.locator(".sj-reader mark").count();
				await page.locator(".sj-input").focus();
				for (let step = 0; step < all; step += 1) {
					await page.keyboard.press("F3");
					await page.locator(".sj-reader-steps", { hasText: new RegExp(`^Match \\d+ of ${all}$`) }).waitFor();
					expect(await inSight(page, ".sj-reader mark.is-here")).toBe(true);
				}
				await page.keyboard.press("Shift+F3");
				await page.locator(".sj-input:focus").waitFor();
				expect(
					await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
				).toBeLessThanOrEqual(0);
				expect([watched.errors, watched.strangers]).toEqual([[], []]);
			},
		);

		it.each([
			[560, 700],
			[320, 256],
		])(
			"shows the note over the results where the window is %i × %i, by mouse and by key, with the way back",
			async (width, height) => {
				const watched = await open("light", width, height);
				const { page } = watched;
				await page.locator(".sj-result", { hasText: "Lamp room" }).click();
				await page.locator(".sj-sentence").first().waitFor();
				expect(await page.locator(".sj-results").isVisible()).toBe(false);
				expect(await watched.violations()).toEqual([]);
				expect(
					await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
				).toBeLessThanOrEqual(0);
				await page.getByRole("button", { name: "Back to results" }).click();
				await page.locator(".sj-input:focus").waitFor();
				await page.keyboard.press("End");
				await page.keyboard.press("ArrowRight");
				await page.locator(".sj-reader:focus").waitFor();
				await page.keyboard.press("Escape");
				await page.locator(".sj-input:focus").waitFor();
				expect(await page.locator(".sj-input").inputValue()).toBe("brass lantern paraffin");
				expect([watched.errors, watched.strangers, await watched.opened()]).toEqual([[], [], []]);
			},
		);

		it("reads in the modal of Obsidian, too: Space and → toggle, the last query is there again, a note that is called so opens whole", async () => {
			const watched = await WatchedPage.open("dark", () => "https://obsidian.invalid");
			const { page } = watched;
			await openObsidian(page, daemon.home, { name: "Light", folder: daemon.vaultOf("Light"), files: VAULT });
			await page.evaluate(() => window.frame.command("pair"));
			await page.locator(".notice", { hasText: "This vault is paired" }).waitFor();
			await page.evaluate(() => window.frame.command("search"));
			await page.keyboard.insertText("brass lantern paraffin");
			await page.locator(".modal .sj-sentence").first().waitFor();
			const [modal, reader] = [
				await page.locator(".sj-modal").boundingBox(),
				await page.locator(".sj-modal .sj-reader").boundingBox(),
			];
			expect(reader?.x).toBeGreaterThan((modal?.x ?? 0) + (modal?.width ?? 0) * 0.45);
			expect(await watched.violations()).toEqual([]);
			await page.keyboard.press("F3");
			await page.locator(".sj-reader-steps", { hasText: /^Match / }).waitFor();
			await page.keyboard.press("ArrowRight");
			await expect.poll(() => page.locator(".sj-modal .sj-reader").isVisible()).toBe(false);
			await page.locator(".modal .sj-results").focus();
			await page.keyboard.press("Space");
			await page.locator(".sj-modal .sj-reader").waitFor();
			await page.locator(".modal .sj-input").focus();
			await page.keyboard.press("Escape");
			await page.evaluate(() => window.frame.command("search"));
			expect(
				await page
					.locator(".modal .sj-input")
					.evaluate((input: HTMLInputElement) =>
						input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
					),
			).toBe("brass lantern paraffin");
			await page.locator(".modal .sj-result").first().waitFor();
			await page.keyboard.type("lamp room");
			await page.locator(".modal .sj-result.is-selected .sj-badge", { hasText: "exact title" }).waitFor();
			await page.keyboard.press("Enter");
			await expect.poll(() => page.evaluate(() => window.frame.opened[0])).toEqual(["Lamp room.md", undefined]);
			expect([watched.errors, watched.strangers]).toEqual([[], []]);
		});
	},
);
