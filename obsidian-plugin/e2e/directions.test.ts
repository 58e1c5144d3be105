import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
/** By language: a folder below an English one with one of its own in it, what the note is called, what it says, a word of it. */
const WRITTEN = {
	Hebrew: {
		folders: ["\u05de\u05e1\u05e2\u05d5\u05ea", "\u05d0\u05d9\u05d8\u05dc\u05d9\u05d4"],
		title: "\u05d8\u05d9\u05d5\u05dc \u05dc\u05e8\u05d5\u05de\u05d0",
		text: "\u05d4\u05e8\u05db\u05d1\u05ea \u05dc\u05e8\u05d5\u05de\u05d0 \u05d9\u05d5\u05e6\u05d0\u05ea \u05d1\u05d1\u05d5\u05e7\u05e8 \u05de\u05ea\u05d7\u05e0\u05ea Milano Centrale, \u05e8\u05e6\u05d9\u05e3 7.",
		tag: "\u05e0\u05e1\u05d9\u05e2\u05d4",
		word: "\u05d4\u05e8\u05db\u05d1\u05ea",
	},
	Arabic: {
		folders: ["\u0631\u062d\u0644\u0627\u062a", "\u0645\u0635\u0631"],
		title: "\u0632\u064a\u0627\u0631\u0629 \u0627\u0644\u0642\u0627\u0647\u0631\u0629",
		text: "\u0627\u0644\u0641\u0646\u062f\u0642 \u0642\u0631\u064a\u0628 \u0645\u0646 \u0627\u0644\u0645\u062a\u062d\u0641\u060c \u0648\u0627\u0633\u0645\u0647 Nile Garden\u060c \u0627\u0644\u063a\u0631\u0641\u0629 12.",
		tag: "\u0633\u0641\u0631",
		word: "\u0627\u0644\u0641\u0646\u062f\u0642",
	},
} as const;
const FILES = Object.fromEntries(
	Object.values(WRITTEN).map(({ folders, title, text, tag }) => [
		`Travel/${folders.join("/")}/${title}.md`,
		`---\ntags: [${tag}, travel]\n---\n# ${title}\n\n${text}\n`,
	]),
);

/** Where each of these texts is drawn within the element, in pixels from the left. */
function placesOf(element: Locator, texts: readonly string[]): Promise<{ left: number; right: number }[]> {
	return element.evaluate((within, wanted) => {
		const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
		const nodes: Text[] = [];
		while (texts.nextNode()) nodes.push(texts.currentNode as Text);
		return wanted.map((text) => {
			const node = nodes.find(({ data }) => data.includes(text));
			if (node === undefined) throw new Error(`it does not say ${text}: ${within.textContent}`);
			const range = document.createRange();
			const start = node.data.indexOf(text);
			range.setStart(node, start);
			range.setEnd(node, start + text.length);
			const { left, right } = range.getBoundingClientRect();
			return { left, right };
		});
	}, texts);
}

/** These texts stand beside each other from left to right, none over another. */
async function standInOrder(element: Locator, texts: readonly string[]): Promise<void> {
	const places = await placesOf(element, texts);
	for (const [index, { left }] of places.entries())
		if (index > 0)
			expect(left, `${texts[index]} after ${texts[index - 1]}`).toBeGreaterThanOrEqual(
				places[index - 1]?.right ?? 0,
			);
}

/** The text is written to the right edge of its element, and so by the element's own direction. */
async function isWrittenFromTheRight(element: Locator, text: string): Promise<void> {
	expect(await element.evaluate((each) => each.matches(":dir(rtl)"))).toBe(true);
	const box = await element.boundingBox();
	const [place] = await placesOf(element, [text]);
	expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) - (place?.right ?? 0))).toBeLessThan(3);
}

describe.skipIf(missing !== null)(
	`notes that are written from right to left, on the page in Chromium${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Travel", files: FILES }]);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		it.each(Object.entries(WRITTEN))(
			"keep their folders, tags and words in order, and both directions in a sentence (%s)",
			async (_, { folders, title, text, tag, word }) => {
				const watched = await WatchedPage.open("light", () => daemon.url);
				const { page } = watched;
				await page.goto(await daemon.pageAddress());
				await page.locator(".sj-input").fill(word);
				const card = page.locator(".sj-result", { hasText: title }).first();
				await card.waitFor();
				const reader = page.locator(".sj-reader");
				await reader.locator("h2", { hasText: title }).waitFor();

				await isWrittenFromTheRight(card.locator(".sj-title"), title);
				const snippet = card.locator(".sj-snippet");
				await isWrittenFromTheRight(snippet, word);
				const name = /[A-Z]\w+ \w+/.exec(text)?.[0] ?? "";
				const number = /\d+/.exec(text)?.[0] ?? "";
				// English within stands to the left of what is said before it, in its own order, and what follows to its left.
				await standInOrder(snippet, [number, name, word]);
				await standInOrder(card.locator(".sj-where"), ["Travel", ...folders, tag, "travel"]);

				await isWrittenFromTheRight(reader.locator("h2"), title);
				await standInOrder(reader.locator(".sj-reader-head"), ["Travel", ...folders, title]);
				await isWrittenFromTheRight(reader.locator("p[dir]", { hasText: word }), word);

				const [titles, tier] = await Promise.all([
					card.locator(".sj-title").boundingBox(),
					card.locator(".sj-tier").boundingBox(),
				]);
				expect(tier?.x).toBeGreaterThanOrEqual((titles?.x ?? 0) + (titles?.width ?? 0));
				expect(await watched.violations()).toEqual([]);
				expect(watched.errors).toEqual([]);
			},
		);
	},
);
