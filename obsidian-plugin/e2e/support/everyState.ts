import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER } from "./browser";
import { MISSING_DAEMON, RunningDaemon } from "./daemon";
import { burst, overflowOf, steadyTree, walk, wear } from "./looks";
import { SITUATIONS, SIZES } from "./states";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
/** Trees of the states as assistive technology gets them, to be read in review; `npx vitest run --project slow -u` writes them anew. */
const TREES = join(import.meta.dirname, "../aria/page");

/** Of four sizes and three modes each state is in one of twelve looks. */
const MODES = [
	{ colorScheme: "light", forcedColors: "none" },
	{ colorScheme: "dark", forcedColors: "none" },
	{ colorScheme: "light", forcedColors: "active" },
] as const;

/** After it, what is said aloud has been said. */
const SPOKEN_MS = 700;

/** For the most states of one situation, on a busy machine. */
const LONGEST_MS = 900_000;

/**
 * Every state, or of each situation the first and then each so many-th, in one look and the narrowest; in all of them, and in every
 * language, by `make pictures`.
 */
export function describeStates(every: number): void {
	const situations = SITUATIONS.map((situation) => ({
		...situation,
		states: situation.states.filter((_, place) => place % every === 0),
	}));

	describe.skipIf(missing !== null)(`states of the page${missing ? ` (skipped: ${missing})` : ""}`, () => {
		let daemon: RunningDaemon;
		let seen = 0;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([]);
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		it.each(situations)(
			"is read aloud as it was reviewed, and bursts nothing: $name",
			async (situation) => {
				await walk(daemon, situation, ["en"], async (state, watched) => {
					const { page } = watched;
					await page.waitForTimeout(SPOKEN_MS);
					await page.waitForFunction(() => !document.querySelector(".sj-said[aria-busy=true]"));
					// On a busy machine a look at what has just been written may come now, or be told for a moment longer.
					await page.getByRole("button", { name: /\d\s?%$/ }).waitFor({ state: "detached" });
					await expect
						.soft(steadyTree(await page.locator(".page").ariaSnapshot()))
						.toMatchFileSnapshot(join(TREES, `${state.name}.txt`));
					const [size, mode] = [
						SIZES[seen % SIZES.length] ?? SIZES[0],
						MODES[seen % MODES.length] ?? MODES[0],
					];
					seen += 1;
					await wear(page, mode, size);
					const look = `${state.name}, ${Object.values(mode).join(" ")}, ${size.width} px`;
					expect.soft(await watched.violations(), look).toEqual([]);
					await wear(page, MODES[0], SIZES[0]);
					expect.soft(await overflowOf(page), state.name).toBe(0);
					expect.soft(await burst(page), state.name).toEqual([]);
					expect.soft(watched.strangers, state.name).toEqual([]);
				});
			},
			LONGEST_MS,
		);
	});
}
