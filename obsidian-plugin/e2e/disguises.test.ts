import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DISGUISED_CODE, DISGUISED_PICTURES, type Disguise } from "../tests/helpers/disguises";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { openObsidian } from "./support/obsidian/serve";

const ALL = [...DISGUISED_PICTURES, ...DISGUISED_CODE];

/** What came of drawing notes. */
interface Drawn {
	/** Addresses of elsewhere that were asked for. */
	asked: string[];
	/** Scripts that ran. */
	ran: string[];
	/** Code that reached what plugins draw with. */
	live: string[];
}

describe.skipIf(MISSING_BROWSER !== null)(
	`notes with something hidden in them, in Chromium${MISSING_BROWSER ? ` (skipped: ${MISSING_BROWSER})` : ""}`,
	() => {
		let home: string;

		beforeAll(async () => {
			home = mkdtempSync(join(tmpdir(), "scrubjay-"));
		});
		afterAll(async () => {
			rmSync(home, { recursive: true });
		});

		/** Draw all of them in one page, by the plugin or, to know what they would do, by the renderer itself. */
		const draw = async (disguises: readonly Disguise[], by: "own" | "foreign" | "renderer"): Promise<Drawn> => {
			const watched = await WatchedPage.open("light", () => "https://obsidian.invalid");
			const { page } = watched;
			await page.route("https://evil.invalid/**", (route) => route.fulfill({ status: 404, body: "" }));
			await openObsidian(page, home, { name: "Notes", folder: home, files: { "Own.md": "" } });
			const last = page.waitForRequest("https://evil.invalid/last.png");
			const told = await page.evaluate(
				async ([texts, way]) => {
					for (const text of texts) await window.frame.draw(text, way);
					await new Promise((resolve) =>
						window.requestAnimationFrame(() => window.requestAnimationFrame(resolve)),
					);
					const { live } = window.frame;
					new Image().src = "https://evil.invalid/last.png";
					return { live, ran: (window as unknown as { ran?: string[] }).ran ?? [] };
				},
				[disguises.map(({ text }) => text), by] as const,
			);
			await last;
			const asked = watched.strangers.filter((url) => !url.endsWith("/last.png"));
			return { ...told, asked };
		};

		it("load nothing and run nothing where they are of another vault, though hundreds of them would", async () => {
			expect(await draw(ALL, "foreign")).toEqual({ asked: [], ran: [], live: [] });
			const would = await draw(ALL, "renderer");
			const came = [...would.asked, ...would.ran, ...would.live].join("\n");
			expect(ALL.filter(({ id }) => came.includes(id)).length).toBeGreaterThan(500);
		});

		it("load nothing and run no script where they are of the vault that is open", async () => {
			const { asked, ran } = await draw(ALL, "own");
			expect([asked, ran]).toEqual([[], []]);
		});
	},
);
