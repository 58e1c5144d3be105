import type { Page } from "playwright-core";
import type { Language } from "../../src/words/languages";
import { say, speak } from "../../src/words/say";
import { EN, TABLES } from "../../tests/helpers/tables";
import type { Proposal, ReviewReply } from "../../src/api/wire";
import type { RunningDaemon } from "./daemon";
import { writeKnownVault } from "./newcomer";
import { LOG_VAULT, SCRIPT_NOTES, WORK_VAULT } from "./vaults";

/** A look of the search page, and how somebody comes to it. */
export interface State {
	/** Unique among all; the name of its pictures and of its tree. */
	readonly name: string;
	/** From a page that has just been opened at any screen, in the language that `say` speaks. */
	readonly show: (page: Page) => Promise<void>;
}

/** How a home stands, and the states that are seen in it; none of them changes the home. */
export interface Situation {
	readonly name: string;
	/** From the situation before. */
	readonly prepare: (daemon: RunningDaemon) => Promise<void>;
	readonly states: readonly State[];
}

export const SCHEMES = ["light", "dark"] as const;
export const SIZES = [
	{ width: 260, height: 600 },
	{ width: 390, height: 844 },
	{ width: 853, height: 533 },
	{ width: 1280, height: 800 },
] as const;

const NOTES_TO_TIDY = {
	"Harbour/Lantern walk.md": "# Lantern walk\n\nAlong the harbour wall to the light, a mile each way.\n",
	"Harbour/Ferry.md": "# Ferry\n\nThe ferry leaves at eight. Before it, there is time for [[Walks/Lantern walk]].\n",
	"Harbour/Mooring.md":
		"# Mooring\n\nTwo lines ashore, and a spring when it blows.\n\nHarbour office: ask for the key.\n",
	"Harbour/Tides.md": "# Tides\n\nHigh water is an hour later here than in the table.\n",
};
const PROPOSED = { vault: "Harbour", path: "Harbour/Tides.md" };
const CHANGE = { action: "replace", ...PROPOSED, line: 3, before: "an hour", after: "fifty minutes" };
const PASSPHRASE = "heron by the weir";
const CARD_QUESTION = "when is the fog horn tested?";
const WEAK_QUERY = "frumptious bloviate quixotic overnight";

const screen =
	(place: string, sign: string) =>
	async (page: Page): Promise<void> => {
		await goTo(page, place);
		await page.locator(`.page-screen:not([hidden]) ${sign}`).first().waitFor();
	};

/** Every state of the search page, in the order in which one home comes by them. */
export const SITUATIONS: readonly Situation[] = [
	{
		name: "nothing",
		prepare: (daemon) => Promise.resolve(writeKnownVault(daemon)),
		states: [
			{ name: "nothing-search", show: screen("search", ".sj-notice button") },
			{ name: "nothing-vaults", show: chooseVault },
			{
				name: "nothing-folders",
				show: async (page) => {
					await chooseVault(page);
					await page.locator(".sj-vaults button").first().click();
					await page.locator(".sj-tree input").first().waitFor();
				},
			},
			{
				name: "nothing-no-folder",
				show: async (page) => {
					await chooseVault(page);
					await page.locator(".sj-wizard input[type='text']").first().fill("/nowhere/at/all");
					await page.keyboard.press("Enter");
					await page.locator(".sj-wizard-said:not(:empty)").waitFor();
				},
			},
			{ name: "nothing-profiles", show: screen("profiles", ".sj-notice") },
			{ name: "nothing-status", show: screen("status", ".sj-pane > *") },
			{ name: "nothing-credentials", show: screen("credentials", ".sj-notice") },
			{ name: "nothing-review", show: screen("review", ".sj-notice") },
			{ name: "nothing-history", show: screen("searches", ".sj-notice") },
		],
	},
	{
		name: "tidy",
		prepare: (daemon) =>
			daemon.add({ name: "Birds", files: { "Heron.md": "# Heron\n\nA heron stood at the weir.\n" } }),
		states: [
			{ name: "tidy-recent", show: screen("search", ".sj-reader h2") },
			{ name: "tidy-credentials", show: screen("credentials", ".sj-notice") },
			{ name: "tidy-review", show: screen("review", ".sj-notice") },
			{ name: "tidy-history", show: screen("searches", ".sj-notice") },
		],
	},
	{
		name: "searching",
		prepare: async (daemon) => {
			await daemon.add({ name: "Light", files: { ...LOG_VAULT, ...SCRIPT_NOTES } });
			await daemon.add({ name: "Work", files: WORK_VAULT });
			await daemon.add({ name: "Harbour", files: NOTES_TO_TIDY });
			await daemon.post("/v1/review/propose", { ...PROPOSED, why: "Measured in May.", changes: [CHANGE] });
		},
		states: [
			{ name: "recent", show: screen("search", ".sj-reader h2") },
			{ name: "results", show: (page) => search(page, "lantern") },
			{ name: "results-filtered", show: (page) => search(page, "lantern path:Log/Sea/* tag:storm") },
			{
				name: "results-options",
				show: async (page) => {
					await search(page, "lantern");
					await page.locator(".sj-scope-button").click();
					await page.locator(".sj-options .sj-sort").waitFor();
				},
			},
			{
				name: "results-chosen",
				show: async (page) => {
					await goTo(page, "search?q=lantern&profile=Light&mode=lexical&sort=title");
					await page.locator(".sj-search:not(.is-busy) .sj-result").first().waitFor();
				},
			},
			{
				name: "keyboard",
				show: async (page) => {
					await search(page, "lantern");
					await page.locator(".sj-help-button").click();
					await page.locator(".sj-help .sj-hint").first().waitFor();
				},
			},
			{
				name: "completions",
				show: async (page) => {
					await search(page, "lantern");
					await page.locator(".sj-input").press("End");
					await page.keyboard.type(" tag:");
					await page.locator(".sj-suggestion").nth(1).waitFor();
				},
			},
			{ name: "card", show: askForCard },
			{
				name: "card-open",
				show: async (page) => {
					await askForCard(page);
					await page.locator(".sj-answer button[aria-expanded]").click();
					await page.locator(".sj-answer.is-open").waitFor();
				},
			},
			{
				name: "weak",
				show: async (page) => {
					await search(page, WEAK_QUERY);
					await page.locator(".sj-offer").first().waitFor();
				},
			},
			{ name: "none-found", show: (page) => search(page, "tag:none", ".sj-notice") },
			{ name: "not-closed", show: (page) => search(page, '"lantern', ".sj-banner") },
			{ name: "misspelt", show: (page) => search(page, "lantren glass", ".sj-banner") },
			{
				name: "why",
				show: async (page) => {
					await search(page, "brass lantern polish ferments");
					await page.locator(".sj-input").press("Control+i");
					await page.locator(".sj-explain p").first().waitFor();
				},
			},
			{
				name: "why-numbers",
				show: async (page) => {
					await search(page, "brass lantern polish ferments");
					await page.locator(".sj-input").press("Control+i");
					await page.locator(".sj-explain p").first().waitFor();
					await page.locator(".sj-input").press("Control+i");
					await page.locator(".sj-explain-line").first().waitFor();
				},
			},
			{
				name: "passages",
				show: async (page) => {
					await search(page, "rolling back a deploy");
					await page.locator(".sj-input").press("Control+e");
					await page.locator(".sj-passage").first().waitFor();
				},
			},
			{ name: "scripts", show: (page) => search(page, "lighthouse") },
			{ name: "right-to-left", show: (page) => search(page, "\u0627\u0644\u0641\u0627\u0646\u0648\u0633") },
			{ name: "reader", show: readDeploy },
			{
				name: "reader-link",
				show: async (page) => {
					await readDeploy(page);
					await page.locator(".sj-reader button[data-note]").first().click();
					await page.locator(".sj-reader-way").waitFor();
				},
			},
		],
	},
	{
		name: "screens",
		prepare: (daemon) => daemon.whenReviewed(), // what is found while the page is open comes after what was there
		states: [
			{ name: "profiles", show: screen("profiles", ".sj-card[data-profile]") },
			...(["rename", "remove", "folders", "files", "encryption", "model", "filter", "backup"] as const).map(
				(action) => ({
					name: `profiles-${action}`,
					show: (page: Page) => beginWith(page, say(`profiles.${action}`)),
				}),
			),
			{ name: "status", show: screen("status", ".sj-status .sj-card") },
			{ name: "credentials", show: screen("credentials", ".sj-finding-lines:not([hidden])") },
			{ name: "review", show: screen("review", ".sj-review-row .sj-diff ins") },
			{ name: "clients", show: screen("clients", ".sj-card") },
		],
	},
	{
		name: "decided",
		prepare: async (daemon) => {
			await daemon.cli("history", "clear"); // of what was typed before, how much counts as one search depends on the clock
			await daemon.post("/v1/hidden", { profile: "Light", path: "Repairs/Frame.md", query: "lantern" });
			await daemon.post("/v1/hidden", { profile: "Light", path: "Kitchen/Bread.md" });
			await daemon.search("lantern storm");
			const { proposals } = await daemon.get<ReviewReply>("/v1/review");
			const { key } = proposals.find(({ path }) => path === PROPOSED.path) as Proposal;
			await daemon.post("/v1/review", { profile: "Harbour", key, answer: "yes" });
		},
		states: [
			{ name: "history", show: screen("searches", ".sj-hidden-note") },
			{ name: "hidden-banner", show: (page) => search(page, "lantern", ".sj-banner") },
			{
				name: "review-writing",
				show: async (page) => {
					await screen("review", ".sj-review-accepted")(page);
					await page.keyboard.press("w");
					await page.locator(".sj-review-accepted .sj-diff ins").first().waitFor();
				},
			},
		],
	},
	{
		name: "paused",
		prepare: async (daemon) => {
			await daemon.post("/v1/pause", { profile: null });
		},
		states: [
			{ name: "paused-search", show: (page) => search(page, "lantern") },
			{ name: "paused-profiles", show: screen("profiles", ".sj-card[data-profile]") },
			{ name: "paused-status", show: screen("status", ".sj-status .sj-card") },
		],
	},
	{
		name: "locked",
		prepare: async (daemon) => {
			await daemon.post("/v1/resume", { profile: null });
			await daemon.encrypt("Work", PASSPHRASE);
			await daemon.lock("Work");
		},
		states: [
			{ name: "locked-search", show: (page) => search(page, "rolling back a deploy") },
			{ name: "locked-status", show: screen("status", ".sj-status .sj-card") },
			{
				name: "locked-passphrase",
				show: async (page) => {
					await screen("profiles", ".sj-card[data-profile]")(page);
					await page
						.getByRole("button", { name: say("do.unlock"), exact: true })
						.last()
						.click();
					await page.locator(".sj-profile-work input[type='password']").waitFor();
				},
			},
		],
	},
	{
		name: "away",
		prepare: (daemon) => daemon.stop(),
		states: [
			{
				name: "away",
				show: async (page) => {
					await page.locator(".sj-scope-button", { hasText: say("scope.everywhere") }).waitFor();
					await page.locator(".sj-input").fill("lantern");
					await page.locator(".sj-notice:visible").first().waitFor();
				},
			},
		],
	},
];

/** Have `say`, and so `show`, speak a language. */
export function speakFor(language: Language): void {
	speak(language, language === "en" ? EN : TABLES[language]);
}

/** Load the page anew at a place; in the process that it has, which by way of another page it would not keep. */
async function goTo(page: Page, place: string): Promise<void> {
	await page.evaluate((hash) => window.history.replaceState(null, "", hash), `/#/${place}`);
	await page.reload();
	await connected(page);
}

/** The page is there, and knows how the daemon is. */
export async function connected(page: Page): Promise<void> {
	await page.locator(".page-screen:not([hidden])").waitFor();
	await page.locator(".page-light .sj-light:not(.sj-light-waiting)").waitFor();
}

async function search(page: Page, query: string, sign = ".sj-result"): Promise<void> {
	await goTo(page, `search?${new URLSearchParams({ q: query })}`);
	await page.locator(".sj-search:not(.is-busy)").waitFor();
	await page.locator(`.sj-search ${sign}`).first().waitFor();
}

async function askForCard(page: Page): Promise<void> {
	await search(page, CARD_QUESTION);
	await page.locator(".sj-answer blockquote").first().waitFor();
}

async function readDeploy(page: Page): Promise<void> {
	await search(page, "rolling back a deploy");
	await page.locator(".sj-result").first().click();
	await page.locator(".sj-reader .sj-sentence").first().waitFor();
}

async function chooseVault(page: Page): Promise<void> {
	await goTo(page, "search");
	await page.locator(".sj-search .sj-notice button").click();
	await page.locator(".sj-vaults button").first().waitFor();
}

/** Press one of the buttons of the first profile, wherever it stands. */
async function beginWith(page: Page, label: string): Promise<void> {
	await screen("profiles", ".sj-card[data-profile]")(page);
	const card = page.locator(".sj-card[data-profile]").first();
	const button = card.getByText(label, { exact: true });
	if (!(await button.isVisible())) await card.getByText(say("profiles.more"), { exact: true }).click();
	await button.click();
	await card.locator(".sj-profile-work button").first().waitFor();
}
