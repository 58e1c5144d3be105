import type { Page } from "playwright-core";
import type { Language } from "../../src/words/languages";
import { WatchedPage, type Scheme } from "./browser";
import type { RunningDaemon } from "./daemon";
import { connected, SIZES, speakFor, type Situation, type State } from "./states";

const WIDEST = SIZES[3];

/** What differs from run to run, and from machine to machine. */
const PASSING: readonly [pattern: RegExp, stands: string][] = [
	[/\d+(?:\.\d+)? (?:B|kB|MB|GB)\b/g, "SIZE"],
	[/\d+ ms\b/g, "N ms"],
	[/just now|\d+ (?:second|minute|hour)s? ago|(?:less than )?(?:a|\d+) (?:seconds?|minutes?)\b/g, "WHEN"],
	[/\/[^\s"]*scrubjay-e2e-[^\s"/]+/g, "HOME"],
	[/\b[0-9a-f]{8,}\b/g, "ID"],
	[/\b20\d\d-\d\d(?:-\d\d)?/g, "DAY"],
	[/Scrubjay \d+\.\d+\.\d+\S*/g, "Scrubjay VERSION"],
	[/^ *- paragraph: \d+ notes? ha\w+ not been looked at yet.*\n/gm, ""], // until they have been
	[/\/[^\s"]*\/(?=scrubjay\b)/g, ""], // where the program lies
	[/^ *- listitem:\n *- button "[^"\n]* page · [^"\n]*"\n/gm, ""], // which searches are remembered depends on how quickly they came
	[/( *- region "Browser ID":\n(?: +- .*\n){3})\1+/g, "$1"], // as many as tests before had the page open
];

/** An accessibility tree, as `ariaSnapshot` gives it, without what differs from run to run. */
export function steadyTree(tree: string): string {
	const steady = PASSING.reduce((text, [pattern, stands]) => text.replace(pattern, stands), `${tree}\n`);
	return firstOptionsOnly(steady);
}

/** Which notes come behind the first of a list depends on the processor: a quantised model differs between them. */
function firstOptionsOnly(tree: string): string {
	let list = -1;
	let options = 0;
	return tree
		.split("\n")
		.filter((line) => {
			const depth = line.search(/\S/);
			if (list >= 0 && depth >= 0 && depth <= list) list = -1;
			if (/^ *- '?listbox/.test(line)) {
				list = depth;
				options = 0;
			} else if (list >= 0 && depth === list + 2 && /^ *- '?option /.test(line)) options += 1;
			return list < 0 || options <= 1;
		})
		.join("\n");
}

/** Bring the home into a situation, and show each of its states in each language, from the widest and light on. */
export async function walk(
	daemon: RunningDaemon,
	situation: Situation,
	languages: readonly Language[],
	look: (state: State, watched: WatchedPage, language: Language) => Promise<void>,
): Promise<void> {
	// All are opened before: none could be, once the daemon is stopped.
	const pages = [];
	for (const language of languages) pages.push([language, await open(daemon, language)] as const);
	await situation.prepare(daemon);
	for (const [language, watched] of pages) {
		speakFor(language);
		for (const state of situation.states) {
			await wear(watched.page, { colorScheme: "light" }, WIDEST);
			await state.show(watched.page).catch((error: unknown) => {
				throw new Error(`${state.name} (${language}) was not reached: ${String(error)}`);
			});
			await settle(watched.page);
			await look(state, watched, language);
		}
		await watched.close();
	}
}

async function open(daemon: RunningDaemon, language: Language): Promise<WatchedPage> {
	const watched = await WatchedPage.open("light", () => daemon.url, language);
	// What it knows of the profiles it still shows when the daemon is away.
	const profiles = watched.page.waitForResponse((reply) => reply.url().endsWith("/v1/profiles") && reply.ok());
	const [told] = await Promise.all([profiles, watched.page.goto(await daemon.pageAddress())]);
	await Promise.all([told.finished(), connected(watched.page)]);
	return watched;
}

/** What the system asks of a page. */
export interface Mode {
	readonly colorScheme: Scheme;
	readonly forcedColors?: "active" | "none";
}

/** Look at a page in a mode and at a size; resolves when it is drawn so. */
export async function wear(page: Page, mode: Mode, size: { width: number; height: number }): Promise<void> {
	await page.setViewportSize(size);
	await page.emulateMedia(mode);
	await settle(page);
}

/** What waits for the next frame is drawn. */
async function settle(page: Page): Promise<void> {
	await page.evaluate(async () => {
		for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => window.requestAnimationFrame(drawn));
	});
}

/** Whether the page is broader than its window, in pixels. */
export function overflowOf(page: Page): Promise<number> {
	return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

/** Buttons and badges whose text is larger than they are, or is cut without a sign of it. */
export function burst(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		[...document.querySelectorAll<HTMLElement>("button, .sj-badge, .sj-chip, h2, h3, select, summary")]
			.filter((element) => {
				if (!element.checkVisibility() || element.closest(".page-tabs, .sj-visually-hidden")) return false;
				const style = window.getComputedStyle(element);
				if (style.textOverflow === "ellipsis") return false;
				return element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 3;
			})
			.filter((element) => element.clientWidth > 0)
			.map((element) => `${element.className}: ${element.textContent?.trim().slice(0, 60)}`),
	);
}
