import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;

const NOTES = {
	"Projects/Weir.md": "# The weir\n\nA heron stood at the weir. See [[Hide]].\n",
	"Projects/Old/Ferry.md": "# Ferry\n\nThe heron watched the ferry.\n",
	"Hide.md": "# Hide\n\nFrom the hide one sees the heron.\n",
	"Private/Diary.md": "# Diary\n\nNobody reads of the heron here.\n",
};

/** From nothing to the first result (with the keyboard alone in `newcomer.test.ts`), and all that is done to a profile, without a terminal. */
describe.skipIf(missing !== null)(`profiles on the search page${missing ? ` (skipped: ${missing})` : ""}`, () => {
	let daemon: RunningDaemon;
	let vault: string;
	let watched: WatchedPage;

	beforeAll(async () => {
		daemon = await RunningDaemon.start([]);
		vault = join(daemon.home, "Notes of mine");
		for (const [path, text] of Object.entries(NOTES)) {
			mkdirSync(dirname(join(vault, path)), { recursive: true });
			writeFileSync(join(vault, path), text);
		}
	});
	afterAll(async () => {
		await daemon?.remove();
	});
	beforeEach(async () => {
		watched = await WatchedPage.open("light", () => daemon.url);
		await watched.page.goto(await daemon.pageAddress());
		await watched.page.locator(".sj-search .sj-notice button").waitFor();
	});
	afterEach(async () => {
		// Chromium itself writes down each answer that is no success, such as that there is no profile yet.
		expect(watched.errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
		expect(watched.strangers).toEqual([]);
		await daemon.removeProfiles();
	});

	const folder = (page: Page, name: string) => page.locator(".sj-folder-line", { hasText: name });
	const found = async (page: Page, query: string): Promise<string[]> => {
		await page.getByRole("tab", { name: "Search" }).click();
		await page.locator(".sj-input").fill("");
		await page.locator(".sj-input").fill(query);
		await page.locator(".sj-search:not(.is-busy)").waitFor();
		return (await page.locator(".sj-result .sj-title").allTextContents()).sort();
	};
	const until = (page: Page, query: string, titles: string[]): Promise<void> =>
		expect.poll(() => found(page, query)).toEqual(titles);

	it("leads from nothing to the first note with the mouse alone", async () => {
		const { page } = watched;
		expect(await page.getByRole("button", { name: "Choose a vault" }).count()).toBe(1);
		await page.locator(".sj-search .sj-notice button").click();
		await page.getByLabel("Folder of the vault").fill(vault);
		await page.getByRole("button", { name: "Open", exact: true }).click();
		await page.locator(".sj-tree").waitFor();
		expect(await page.locator(".sj-folder-line label").allTextContents()).toEqual([
			"The whole vault4 notes",
			"Private1 note",
			"Projects2 notes",
		]);
		const make = page.getByRole("button", { name: "Add this vault" });
		expect(await make.isDisabled()).toBe(true);
		await folder(page, "The whole vault").locator("input").check();
		await folder(page, "Private").getByRole("button", { name: "Leave out Private" }).click();
		await folder(page, "Projects").getByRole("button", { name: "Folders in Projects" }).click();
		await folder(page, "Old").locator("input").uncheck();
		expect(await watched.violations()).toEqual([]);
		await make.click();
		await page.getByRole("tabpanel", { name: "Profiles" }).getByText("without Private and Projects/Old").waitFor();
		await until(page, "heron", ["Hide", "Weir"]);
		expect(await page.locator(".page-step").textContent()).toBe("");
		await page.locator(".sj-result", { hasText: "Weir" }).click();
		await page.locator(".sj-reader", { hasText: "A heron stood at the weir" }).waitFor();
	});

	it("changes what may be read, renames, pauses, locks, unlocks and removes, each with a way back", async () => {
		const { page } = watched;
		await daemon.cli("profile", "create", "notes", "--vault", vault);
		await page.locator(".page-step", { hasText: "Nothing may be read yet in notes" }).waitFor();
		await page.getByRole("button", { name: "Choose folders" }).click();
		await folder(page, "Projects").locator("input").check();
		await page.getByRole("button", { name: "Save" }).click();
		await until(page, "heron", ["Ferry", "Weir"]);
		await page.getByRole("tab", { name: "Profiles" }).click();
		const card = page.locator(".sj-card[data-profile]");
		const more = async (name: string): Promise<void> => {
			await card.getByRole("button", { name: "More" }).click();
			await card.locator(".sj-menu-list").getByRole("button", { name }).click();
		};
		await card.getByRole("button", { name: "More" }).click();
		expect(await watched.violations()).toEqual([]);
		await page.keyboard.press("Escape");
		await more("Rename");
		await page.getByLabel("New name").fill("birds");
		await card.getByRole("button", { name: "Cancel" }).click();
		expect(await card.locator("h3").textContent()).toBe("notes");
		await more("Rename");
		await page.getByLabel("New name").fill("birds");
		await card.locator(".sj-profile-work").getByRole("button", { name: "Rename" }).click();
		await card.locator("h3", { hasText: "birds" }).waitFor();
		await card.getByRole("button", { name: "Pause indexing" }).click();
		await card.getByRole("button", { name: "Resume indexing" }).click();
		await card.getByRole("button", { name: "Pause indexing" }).waitFor();
		await more("Lock");
		await page.locator(".page-step", { hasText: "birds is locked" }).waitFor();
		expect(await watched.violations()).toEqual([]);
		await card.getByRole("button", { name: "Unlock" }).click();
		await more("Remove");
		await card.getByRole("button", { name: "Remove birds" }).click();
		await page.locator(".sj-notice", { hasText: "No profile yet" }).filter({ visible: true }).waitFor();
	});

	it("encrypts a profile by a passphrase, filters more, and backs it up, each with a sentence and a way back", async () => {
		const { page } = watched;
		await daemon.cli("profile", "create", "notes", "--vault", vault, "--allow", ".");
		await until(page, "heron", ["Diary", "Ferry", "Hide", "Weir"]);
		await page.getByRole("tab", { name: "Profiles" }).click();
		const card = page.locator(".sj-card[data-profile]");
		const more = async (name: string): Promise<void> => {
			await card.getByRole("button", { name: "More" }).click();
			await card.getByRole("button", { name, exact: true }).first().click();
		};
		await more("Encryption");
		await card.getByRole("combobox", { name: "Encryption" }).selectOption("passphrase");
		await card.getByLabel("New passphrase", { exact: true }).fill("heron by the weir");
		await card.getByLabel("New passphrase, again").fill("heron at the weir");
		await card.getByRole("button", { name: "Apply" }).click();
		await card.getByText("The two are not the same.").waitFor();
		expect(await watched.violations()).toEqual([]);
		await card.getByLabel("New passphrase, again").fill("heron by the weir");
		await card.getByRole("button", { name: "Apply" }).click();
		await card.getByText("Encrypted by a passphrase").waitFor();
		expect(await card.locator(".sj-card-actions > .sj-button").allTextContents()).toContain("Lock");
		await until(page, "heron", ["Diary", "Ferry", "Hide", "Weir"]);
		await page.getByRole("tab", { name: "Profiles" }).click();
		await more("Filter");
		await card.getByLabel("Card numbers and IBANs").check();
		await card.getByRole("button", { name: "Save" }).click();
		await card.locator(".sj-profile-work input").first().waitFor({ state: "detached" });
		await more("Filter");
		expect(await card.getByLabel("Card numbers and IBANs").isChecked()).toBe(true);
		await card.getByRole("button", { name: "Cancel" }).click();
		await more("Model");
		expect(await card.getByRole("combobox", { name: "Model" }).inputValue()).toBe("bundled");
		await card.getByRole("button", { name: "Cancel" }).click();
		await more("Back up");
		await card.locator(".sj-profile-work").getByRole("button", { name: "Back up" }).click();
		await card.getByText("puts it back").waitFor();
	});

	it("adds a second vault beside the first without typing a path", async () => {
		const { page } = watched;
		const second = join(daemon.home, "Second notes");
		mkdirSync(second, { recursive: true });
		writeFileSync(join(second, "Otter.md"), "# Otter\n\nAn otter under the bridge.\n");
		await daemon.cli("profile", "create", "notes", "--vault", vault, "--allow", ".");
		await page.getByRole("tab", { name: "Profiles" }).click();
		await page.getByRole("button", { name: "Add a vault" }).click();
		await page.getByRole("button", { name: "Second notes" }).click();
		expect(await watched.violations()).toEqual([]);
		await page.getByRole("button", { name: "Open", exact: true }).click();
		await folder(page, "The whole vault").locator("input").check();
		await page.getByRole("button", { name: "Add this vault" }).click();
		await until(page, "file:Otter", ["Otter"]); // by name alone: by meaning the first vault's notes come, too
	});

	it("says what is wrong with a folder that is not there", async () => {
		const { page } = watched;
		await page.locator(".sj-search .sj-notice button").click();
		await page.getByLabel("Folder of the vault").fill(`${vault} that is not there`);
		await page.getByRole("button", { name: "Open", exact: true }).click();
		await page.getByText("is not a folder").waitFor();
		await page.getByRole("button", { name: "Cancel" }).click();
		await page.getByRole("tabpanel", { name: "Profiles" }).getByText("No profile yet").waitFor();
	});
});
