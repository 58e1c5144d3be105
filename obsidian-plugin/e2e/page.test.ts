import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { WORK_SECRET, WORK_VAULT } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
const MOST_TABS = 60;

describe.skipIf(missing !== null)(`the search page in Chromium${missing ? ` (skipped: ${missing})` : ""}`, () => {
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

	const open = async (): Promise<WatchedPage> => {
		const watched = await WatchedPage.open("light", () => daemon.url);
		await watched.page.goto(await daemon.pageAddress());
		await watched.page.locator(".sj-input").waitFor();
		return watched;
	};
	const titles = ({ page }: WatchedPage): Promise<string[]> => page.locator(".sj-result .sj-title").allTextContents();
	const settled = async ({ page }: WatchedPage): Promise<void> => {
		await page.locator(".sj-search:not(.is-busy)").waitFor();
		await page.locator(".sj-result").first().waitFor();
	};

	it("opens from the file that only its user can read", async () => {
		const watched = await WatchedPage.open("light", () => daemon.url);
		await watched.page.goto(pathToFileURL(join(daemon.home, "state/open/scrubjay.html")).href);
		await watched.page.locator(".sj-input").waitFor();
		expect(watched.page.url()).toBe(`${daemon.url}/#/search`);
		expect(watched.errors).toEqual([]);
	});

	it("opens with a ticket, stays open over a reload, and closes when a second one comes with the ticket", async () => {
		const address = (await daemon.cli("open", "--print")).trim();
		const first = await WatchedPage.open("light", () => daemon.url);
		await first.page.goto(address);
		await first.page.locator(".sj-input").waitFor();
		expect(first.page.url()).not.toContain("ticket");
		await first.page.reload();
		await first.page.locator(".sj-input").waitFor();
		const second = await WatchedPage.open("light", () => daemon.url);
		await second.page.goto(address);
		await second.page.getByText("Open this page again from Scrubjay").waitFor();
		expect(await second.violations()).toEqual([]);
		await first.page.reload();
		await first.page.getByText("Open this page again from Scrubjay").waitFor();
		await Promise.all([first.close(), second.close()]);
	});

	it("finds, previews and opens by keyboard alone", async () => {
		const watched = await open();
		const { page } = watched;
		await page.keyboard.type("deploy rollback runbook");
		await settled(watched);
		expect((await titles(watched))[0]).toBe("Rolling back a deploy");
		await page.locator(".sj-reader h2", { hasText: "Rolling back a deploy" }).waitFor();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("ArrowUp");
		await page.keyboard.press("Control+i");
		await page.locator(".sj-explain p").first().waitFor();
		await page.keyboard.press("Control+i");
		await page.locator(".sj-explain-line").first().waitFor();
		await page.keyboard.press("Control+e");
		await page.locator(".sj-passage").first().waitFor();
		await page.locator(".sj-input:focus").waitFor();
		await page.keyboard.press("Control+Enter");
		expect(await watched.opened()).toEqual([
			expect.stringMatching(
				/^obsidian:\/\/open\?vault=Work&file=Runbooks%2FRolling%20back%20a%20deploy(%23[^&]+)?&paneType=tab$/,
			),
		]);
		await page.keyboard.press("Control+c");
		await page.locator(".page-toast", { hasText: "The link was copied" }).waitFor();
		expect(await page.evaluate(() => window.navigator.clipboard.readText())).toMatch(
			/^\[Rolling back a deploy\]\(obsidian:/,
		);
		await page.keyboard.press("Escape");
		expect(await page.locator(".sj-input").inputValue()).toBe("");
		await page.keyboard.press("Alt+ArrowUp");
		expect(await page.locator(".sj-input").inputValue()).toBe("deploy rollback runbook");
		expect([watched.errors, watched.strangers]).toEqual([[], []]);
	});

	it("has the daemon remember which result was opened, and by which query", async () => {
		const watched = await open();
		const { page } = watched;
		await page.keyboard.type("scratch database restore");
		await settled(watched);
		await page.locator(".sj-reader h2", { hasText: "Restoring a backup" }).waitFor();
		await page.getByRole("button", { name: "Open in Obsidian" }).press("Enter");
		await expect
			.poll(() => daemon.remembered("Work", "scratch database restore"))
			.toEqual(["Runbooks/Restoring a backup.md"]);
		expect([watched.errors, watched.strangers]).toEqual([[], []]);
	});

	it("reaches every screen and control by Tab and arrows", async () => {
		const watched = await open();
		const { page } = watched;
		const missed = new Set("Search,Keyboard,All,Garden,Work,Both,Words,Meaning,Search notes".split(","));
		await page.locator(".sj-line").first().waitFor();
		for (let step = 0; missed.size > 0 && step < MOST_TABS; step += 1) {
			await page.keyboard.press("Tab");
			const name = await page.evaluate(
				() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
			);
			missed.delete(name.trim());
			if (!name.startsWith("Best first")) continue;
			await page.keyboard.press("Enter");
			// The profiles stand there once the daemon has told of them: Tab would go by before.
			await page.locator(".sj-options").getByRole("button", { name: "Garden" }).waitFor();
		}
		expect([...missed]).toEqual([]);
		await page.getByRole("tab", { name: "Search" }).focus();
		for (const screen of ["Profiles", "Status", "Credentials", "Review", "History", "Clients"]) {
			await page.keyboard.press("ArrowRight");
			await page.getByRole("tab", { name: screen, selected: true }).waitFor();
		}
	});

	it("narrows to a profile, a mode and a tag", async () => {
		const watched = await open();
		const { page } = watched;
		await page.keyboard.type("rollback");
		await settled(watched);
		await page.locator(".sj-scope-button").click();
		await page.locator(".sj-options").getByRole("button", { name: /^Work/ }).click();
		await page.getByRole("button", { name: "Words", exact: true }).click();
		await settled(watched);
		const badges = await page.locator(".sj-result .sj-profile").allTextContents();
		expect(new Set(badges)).toEqual(new Set(["Work"]));
		await page.locator(".sj-input").fill("");
		await page.keyboard.type("rollback tag:run");
		await page.locator(".sj-suggestion", { hasText: "runbook" }).waitFor();
		await page.keyboard.press("Enter");
		expect(await page.locator(".sj-input").inputValue()).toBe("rollback tag:runbook ");
		await settled(watched);
		expect((await titles(watched)).sort()).toEqual(["Restoring a backup", "Rolling back a deploy"]);
	});

	it("completes the names of filters and properties by keyboard alone, and leaves words alone", async () => {
		const watched = await open();
		const { page } = watched;
		const query = (): Promise<string> => page.locator(".sj-input").inputValue();
		await page.keyboard.type("rollback pa");
		await page.locator(".sj-suggestion", { hasText: "path:" }).waitFor();
		await page.keyboard.press("Tab");
		await page.keyboard.type("Runb");
		await page.locator(".sj-suggestion.is-selected", { hasText: "Runbooks" }).waitFor();
		await page.keyboard.press("Tab");
		expect(await query()).toBe("rollback path:Runbooks ");
		await settled(watched);
		expect((await titles(watched)).sort()).toEqual(["Restoring a backup", "Rolling back a deploy"]);
		await page.locator(".sj-input").fill("");
		await page.keyboard.type("[impor");
		await page.locator(".sj-suggestion", { hasText: "importance" }).waitFor();
		await page.keyboard.press("Tab");
		expect(await query()).toBe("[importance] ");
		await page.locator(".sj-input").fill("");
		await page.keyboard.type("mod");
		await page.locator(".sj-suggestion", { hasText: "modified:" }).waitFor();
		await page.keyboard.press("Escape");
		expect(await page.locator(".sj-suggest").isVisible()).toBe(false);
		expect(await query()).toBe("mod");
		await page.keyboard.press("Escape");
		expect(await query()).toBe("");
		expect([watched.errors, watched.strangers]).toEqual([[], []]);
	});

	it("leaves no stale result behind sixty keystrokes in three seconds", async () => {
		const watched = await open();
		const { page } = watched;
		const text = "how do we roll back a broken deploy without losing any data?";
		await page.locator(".sj-input").pressSequentially(text, { delay: 50 });
		await settled(watched);
		const wanted = await daemon.search(text);
		expect(await page.locator(".sj-input").inputValue()).toBe(text);
		await expect
			.poll(() => titles(watched).then((shown) => shown.slice(0, 3)))
			.toEqual(wanted.results.slice(0, 3).map(({ title }) => title));
		expect(watched.errors).toEqual([]);
	});

	it("shows no credential anywhere, and says where they are", async () => {
		const watched = await open();
		const { page } = watched;
		await page.getByRole("tab", { name: "Credentials" }).click();
		await page.locator(".sj-finding").first().waitFor();
		const report = await page.locator(".sj-credentials").innerText();
		expect(report).toContain("Rolling back a deploy");
		expect(report).not.toContain(WORK_SECRET);
		await page.locator(".sj-finding").first().press("Enter");
		expect((await watched.opened())[0]).toMatch(/^obsidian:\/\/open\?vault=/);
	});

	it("fits windows of every width", async () => {
		const watched = await open();
		const { page } = watched;
		await page.keyboard.type("rollback");
		await settled(watched);
		for (const [width, height] of [
			[320, 640],
			[480, 800],
			[768, 1024],
			[1024, 700],
			[1600, 900],
		] as const) {
			await page.setViewportSize({ width, height });
			// Whether there is room is seen when the next frame is drawn.
			await expect.poll(() => page.locator(".sj-reader").isVisible()).toBe(width >= 768);
			expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
		}
	});

	it("says that the daemon left, without a storm of errors, and goes on when it is back", async () => {
		const watched = await open();
		const { page } = watched;
		const port = Number(new URL(daemon.url).port);
		await daemon.stop();
		await page.keyboard.type("rollback");
		await page.getByText("Scrubjay is not running").first().waitFor();
		await page.waitForTimeout(1_000);
		const afterTyping = watched.errors.length;
		await page.waitForTimeout(4_000);
		expect(watched.errors.length - afterTyping).toBeLessThanOrEqual(4);
		await daemon.run(port);
		await settled(watched);
		const bookmark = await watched.context.newPage();
		await bookmark.goto(daemon.url);
		await bookmark.locator(".sj-input").waitFor();
	});
});
