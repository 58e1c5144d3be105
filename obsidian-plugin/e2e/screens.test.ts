import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { steadyTree } from "./support/looks";
import { openObsidian } from "./support/obsidian/serve";
import { WORK_VAULT } from "./support/vaults";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
/** Trees of the screens as assistive technology gets them, to be read in review. */
const TREES = join(import.meta.dirname, "aria");
const VAULT = { ...WORK_VAULT, "Home.md": "# Home\n\n```scrubjay\ntag:runbook\nview: table\n```\n" };
describe.skipIf(missing !== null)(
	`the screens in Obsidian, read aloud${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Work", files: VAULT }]);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		const inObsidian = async (): Promise<WatchedPage> => {
			const watched = await WatchedPage.open("light", () => "https://obsidian.invalid");
			await openObsidian(watched.page, daemon.home, {
				name: "Work",
				folder: daemon.vaultOf("Work"),
				files: VAULT,
			});
			await watched.page.evaluate(() => window.frame.command("pair"));
			await watched.page.locator(".notice", { hasText: "This vault is paired" }).waitFor();
			await watched.page.locator(".status-bar", { hasText: "notes" }).waitFor();
			return watched;
		};
		/** In both schemes. */
		const holds = async (watched: WatchedPage): Promise<void> => {
			for (const colorScheme of ["light", "dark"] as const) {
				await watched.page.emulateMedia({ colorScheme });
				expect(await watched.violations()).toEqual([]);
			}
		};
		const readsAs = async (element: Locator, name: string): Promise<void> =>
			expect(steadyTree(await element.ariaSnapshot())).toMatchFileSnapshot(join(TREES, `${name}.txt`));

		it("hold as panes, as a block in a note, and as the search window with its reader, below which no preview opens", async () => {
			const watched = await inObsidian();
			const { page } = watched;
			const showPane = async (name: string, sign: string): Promise<void> => {
				await page.evaluate((type) => window.frame.showPane(type), `scrubjay-${name}`);
				await page.locator(sign).first().waitFor();
			};
			await showPane("search", ".sj-line");
			await holds(watched);
			await page.evaluate(() => window.frame.edit("Runbooks/Rolling back a deploy.md", 0));
			for (const [name, sign] of [
				["related", ".sj-related-note"],
				["credentials", ".sj-finding-lines:not([hidden])"],
				["status", '.sj-card:has-text("the whole vault")'],
			] as const) {
				await showPane(name, sign);
				await readsAs(page.locator(".mod-right-split"), `pane-${name}`);
				await holds(watched);
			}
			await page.evaluate(() => window.frame.read("Home.md"));
			await page.locator(".sj-block td").first().waitFor();
			await readsAs(page.locator(".sj-block"), "block");
			await page.evaluate(() => window.frame.command("search"));
			await page.locator(".modal .sj-input").fill("rolling back a deploy");
			await page.locator(".modal .sj-search:not(.is-busy)").waitFor();
			await page.locator(".modal .sj-result.is-selected", { hasText: "Rolling back a deploy" }).waitFor();
			await page.locator(".modal .sj-reader .sj-sentence").first().waitFor();
			await readsAs(page.locator(".modal .sj-columns-reader"), "modal-reader");
			await holds(watched);
			const layers = await page.evaluate(() => {
				const preview = document.body.appendChild(createDiv({ cls: "popover hover-popover" }));
				const layer = Number(window.getComputedStyle(preview).zIndex);
				preview.remove();
				return layer;
			});
			expect(layers).toBe(51);
			expect(watched.errors).toEqual([]);
		});
	},
);
