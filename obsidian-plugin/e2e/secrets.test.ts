import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { openObsidian } from "./support/obsidian/serve";
import { WORK_SECRET } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
/** Put together here, so that no scanner finds a secret in the repository. */
const PASSWORD = ["Gr8", "Heron", "Weir!42"].join("-");
const VAULT = {
	"Home/Router.md": `# Router\n\n## Attic\n\nIt blinks green.\nPassword: ${PASSWORD}\nRestart it on Mondays.\n`,
	"Home/Copy.md": `# Copy\n\nPassword: ${PASSWORD}\n`,
	"Work/Deploy.md": `# Deploy\n\nThe job wants a token: ${WORK_SECRET}\n`,
};

const NUMBERS = Array.from({ length: 20 }, (_, index) => index);
const password = (index: number): string => ["Otter", String(index * 7 + 11), "Quay!"].join(`-${index}x`);

/** What can't be taken back comes to be under no pointer that was on its way to something else. */
async function staysBelowThePointer(page: Page): Promise<void> {
	const row = page.locator(".sj-finding-row").nth(3);
	const done = row.getByRole("button", { name: /^Done/ });
	await page.locator(".sj-credentials h2").hover();
	const before = await done.boundingBox();
	await done.hover();
	expect(await done.boundingBox()).toEqual(before);
	expect(await row.locator(".sj-everywhere").isVisible()).toBe(true);
}

describe.skipIf(missing !== null)(`twenty credentials in one sitting${missing ? ` (skipped: ${missing})` : ""}`, () => {
	let daemon: RunningDaemon;

	beforeAll(async () => {
		const files = Object.fromEntries(
			NUMBERS.map((index) => [`Accounts/${index}.md`, `# Account ${index}\n\nPassword: ${password(index)}\n`]),
		);
		daemon = await RunningDaemon.start([{ name: "Notes", files }]);
	});
	afterAll(async () => {
		await daemon?.remove();
	});

	it("takes 22 keys at most from its tab on, and a held key decides nothing", async () => {
		const watched = await WatchedPage.open("light", () => daemon.url);
		const { page } = watched;
		await page.goto(await daemon.pageAddress());
		await page.getByRole("tab", { name: "Credentials" }).focus();
		let keys = 0;
		const press = async (key: string): Promise<void> => {
			keys += 1;
			await page.keyboard.press(key);
		};
		await press("Enter");
		await page.locator(".sj-finding:focus").waitFor();
		expect(await watched.violations()).toEqual([]);
		await staysBelowThePointer(page);
		await page.keyboard.down("d");
		for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down("d");
		await page.keyboard.up("d");
		keys += 1;
		await page.locator(".sj-pane h2", { hasText: "19 credentials" }).waitFor();
		for (const left of NUMBERS.slice(1).reverse()) {
			await press("d");
			if (left > 1) await page.locator(".sj-pane h2", { hasText: `${left - 1} credential` }).waitFor();
		}
		await page.locator(".sj-notice:focus").waitFor();
		expect(keys).toBeLessThanOrEqual(22);
		expect(watched.errors).toEqual([]);
		for (let undone = 0; undone < 20; undone += 1) await page.keyboard.press("u");
		await page.locator(".sj-pane h2", { hasText: "20 credentials" }).waitFor();
	});
});

describe.skipIf(missing !== null)(
	`credentials, worked through in Chromium${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Notes", files: VAULT }]);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		const findings = (page: Page): Promise<string[]> => page.locator(".sj-finding").allInnerTexts();
		/** Everything that the page was sent, to be looked through for what must not be in it. */
		const replies = (page: Page): string[] => {
			const texts: string[] = [];
			page.on(
				"response",
				(reply) =>
					void reply.text().then(
						(text) => texts.push(text),
						() => undefined,
					),
			);
			return texts;
		};

		it("goes down to none on the page by keyboard alone, and no value leaves the daemon before it is allowed", async () => {
			const watched = await WatchedPage.open("light", () => daemon.url);
			const { page } = watched;
			const sent = replies(page);
			await page.goto(await daemon.pageAddress());
			await page.getByRole("tab", { name: "Credentials" }).press("Enter");
			await page.locator(".sj-pane h2", { hasText: "3 credentials in 3 notes" }).waitFor();
			await page.locator(".sj-finding:focus").waitFor();
			await page.locator(".sj-finding-lines", { hasText: "[REDACTED:" }).waitFor();
			await page.keyboard.press("ArrowDown");
			await page.locator(".sj-finding-lines", { hasText: "It blinks green." }).waitFor();
			expect(await watched.violations()).toEqual([]);
			await page.keyboard.press("Enter");
			expect((await watched.opened())[0]).toMatch(/vault=Notes&file=Home%2FRouter%23Attic$/);
			await page.getByRole("button", { name: /^Work 1$/ }).press("Enter");
			expect(await findings(page)).toHaveLength(1);
			await page.locator(".sj-finding").first().focus();
			await page.keyboard.press("d");
			await page.locator(".sj-progress-line", { hasText: "1 of 3 done" }).waitFor();
			await page.keyboard.press("u");
			await page.locator(".sj-pane h2", { hasText: "3 credentials in 3 notes" }).waitFor();
			for (const left of [2, 1]) {
				await page.keyboard.press("d");
				await page.locator(".sj-pane h2", { hasText: `${left} credential` }).waitFor();
			}
			await page.keyboard.press("d");
			await page.locator(".sj-notice:focus", { hasText: "All done" }).waitFor();
			for (const [width, height] of [
				[1280, 800],
				[320, 640],
			] as const) {
				await page.setViewportSize({ width, height });
				expect(await watched.violations()).toEqual([]);
				expect(
					await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
				).toBeLessThanOrEqual(0);
			}
			for (const secret of [PASSWORD, WORK_SECRET]) expect(sent.join("\n")).not.toContain(secret);
			expect([watched.errors, watched.strangers]).toEqual([[], []]);
			await page.locator("summary", { hasText: "3 allowed or done" }).press("Enter");
			for (const left of [1, 2, 3]) {
				await page.getByRole("button", { name: /^Undo/ }).first().press("Enter");
				await page.locator(".sj-pane h2", { hasText: `${left} credential` }).waitFor();
			}
		});

		it("are decided about inside Obsidian once the user has asked for it", async () => {
			const watched = await WatchedPage.open("dark", () => "https://obsidian.invalid");
			const { page } = watched;
			await openObsidian(page, daemon.home, { name: "Notes", folder: daemon.vaultOf("Notes"), files: VAULT });
			await page.evaluate(() => window.frame.command("pair"));
			await page.locator(".notice", { hasText: "This vault is paired" }).waitFor();
			await page.evaluate(() => window.frame.showPane("scrubjay-credentials"));
			await page.locator(".sj-pane h2", { hasText: "3 credentials" }).waitFor();
			expect(await page.getByRole("button", { name: /^Done/ }).count()).toBe(0);
			await page.getByRole("button", { name: "Decide in Obsidian" }).press("Enter");
			await page
				.getByRole("button", { name: /^Allow everywhere…: line 3, / })
				.first()
				.press("Enter");
			await page.getByRole("button", { name: /^Allow everywhere: line 3, / }).press("Enter");
			// The same password stands in two notes.
			await page.locator(".sj-pane h2", { hasText: "1 credential in 1 note" }).waitFor();
			expect(await watched.violations()).toEqual([]);
			expect(watched.errors).toEqual([]);
		});
	},
);
