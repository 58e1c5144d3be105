import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;

/** Of many widths, in capitals, and in scripts whose signs are squares. */
const TITLES = Array.from({ length: 12 }, (_, number) => [
	`Notes on harbour ${number}`,
	`MAMMOTH MEMORANDUM ${number}`,
	`港口灯塔的维护与检修记录第${number}号`,
]).flat();

describe.skipIf(missing !== null)(`the picture of links${missing ? ` (skipped: ${missing})` : ""}`, () => {
	let daemon: RunningDaemon;

	beforeAll(async () => {
		const links = TITLES.map((title) => `[[${title}]]`).join(" ");
		const notes = TITLES.map((title): [string, string] => [`${title}.md`, `# ${title}\n\nA buoy.\n`]);
		daemon = await RunningDaemon.start([
			{ name: "notes", files: { ...Object.fromEntries(notes), "Lighthouse.md": `# Lighthouse\n\n${links}\n` } },
		]);
	});
	afterAll(async () => {
		await daemon?.remove();
	});

	it.each([
		[1280, 800],
		[390, 844],
	])("has no label that covers another, at %i × %i", async (width, height) => {
		const watched = await WatchedPage.open("light", () => daemon.url);
		const { page } = watched;
		await page.setViewportSize({ width, height });
		await page.goto(await daemon.pageAddress());
		await page.locator(".sj-input").fill("lighthouse");
		await page.locator(".sj-result .sj-title", { hasText: "Lighthouse" }).waitFor();
		await page.keyboard.press("Control+g");
		await page.locator(".sj-graph-note.is-hop-0:focus").waitFor();
		const boxes = await page
			.locator(".sj-graph-note text")
			.evaluateAll((labels) =>
				labels
					.filter((each) => getComputedStyle(each).display !== "none")
					.map((each) => ({ text: each.textContent, box: each.getBoundingClientRect().toJSON() as DOMRect })),
			);
		expect(boxes.length).toBeGreaterThan(5);
		const covering = boxes.flatMap(({ text, box: a }, index) =>
			boxes
				.slice(index + 1)
				.filter(
					({ box: b }) =>
						a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom,
				)
				.map((other) => `${text} over ${other.text}`),
		);
		expect(covering).toEqual([]);
	});
});
