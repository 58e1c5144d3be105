import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { Language } from "../../src/words/languages";
import { say, speak } from "../../src/words/say";
import { TABLES } from "../../tests/helpers/tables";
import type { RunningDaemon } from "./daemon";

const NOTES = {
	"Projects/Weir.md": "# Weir\n\nA heron stood at the weir. See [[Hide]].\n",
	"Hide.md": "# Hide\n\nFrom here one sees far.\n",
};
const MOST_TABS = 60;

/** A vault that Obsidian knows, and no profile yet. */
export function writeKnownVault(daemon: RunningDaemon): void {
	const vault = daemon.vaultOf("Lake");
	for (const [path, text] of Object.entries(NOTES)) {
		mkdirSync(dirname(join(vault, path)), { recursive: true });
		writeFileSync(join(vault, path), text);
	}
	const yesterday = Date.now() / 1000 - 86_400;
	utimesSync(join(vault, "Hide.md"), yesterday, yesterday); // the other one is the newest, which the page opens with
	mkdirSync(join(daemon.configuration, "obsidian"), { recursive: true });
	writeFileSync(
		join(daemon.configuration, "obsidian/obsidian.json"),
		JSON.stringify({ vaults: { one: { path: vault, ts: 1 } } }),
	);
}

/** Somebody who sees the page for the first time, in a language, with one way to use it. `stop` is called in each state on the way. */
export class Newcomer {
	constructor(
		private readonly page: Page,
		private readonly language: Language,
		private readonly stop: (state: string) => Promise<void>,
	) {}

	/** From no profile to a note, along its link and back, with the mouse alone. */
	async withMouse(): Promise<void> {
		await this.walk(async (target) => target.click());
	}

	/** The same with the keyboard alone. */
	async withKeyboard(): Promise<void> {
		await this.walk(async (target) => {
			await this.tabTo(target);
			await this.page.keyboard.press((await target.getAttribute("type")) === "checkbox" ? "Space" : "Enter");
		}, true);
	}

	private async walk(use: (target: Locator) => Promise<void>, isTyping = false): Promise<void> {
		const { page } = this;
		await page.locator(".sj-search .sj-notice button").waitFor();
		await this.stop("nothing");
		await use(page.locator(".sj-search .sj-notice button"));
		await page.locator(".sj-vaults button").first().waitFor();
		await this.stop("which vault");
		await use(page.locator(".sj-vaults button").first());
		await page.locator(".sj-tree input").first().waitFor();
		await this.stop("which folders");
		await use(page.locator(".sj-tree input").first());
		await use(page.locator(".sj-wizard .sj-button-main"));
		await page.locator(".sj-card[data-profile]").waitFor();
		await this.stop("a profile");
		await this.searchFor(use, isTyping);
		await page.locator(".sj-reader", { hasText: "A heron stood" }).waitFor();
		await this.stop("a note");
		await use(page.locator(".sj-reader button[data-note]"));
		await page.locator(".sj-reader", { hasText: "From here one sees far" }).waitFor();
		await this.stop("a link");
		await use(page.locator(".sj-reader-back"));
		await page.locator(".sj-reader", { hasText: "A heron stood" }).waitFor();
	}

	/** The note is among the recent ones, for who types nothing. */
	private async searchFor(use: (target: Locator) => Promise<void>, isTyping: boolean): Promise<void> {
		const { page } = this;
		if (isTyping) {
			await page.keyboard.press("Control+k");
			await page.keyboard.type("heron");
			await page.locator(".sj-result", { hasText: "Weir" }).waitFor();
			return;
		}
		speak(this.language, TABLES[this.language]);
		await use(page.getByRole("tab", { name: say("screen.search"), exact: true }));
		await page.locator(".sj-line", { hasText: "Weir" }).waitFor();
		await use(page.locator(".sj-line", { hasText: "Weir" }));
	}

	private async tabTo(target: Locator): Promise<void> {
		for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
			if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
			await this.page.keyboard.press("Tab");
		}
		throw new Error(`Tab never led to ${String(target)}`);
	}
}
