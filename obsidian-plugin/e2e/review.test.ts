import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MISSING_BROWSER, WatchedPage } from "./support/browser";
import { MISSING_DAEMON, RunningDaemon } from "./support/daemon";
import { openObsidian } from "./support/obsidian/serve";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
const ring = (name: string): Record<string, string> =>
	Object.fromEntries(
		Array.from({ length: 6 }, (_, at) => [
			`${name}/${name} ${at}.md`,
			`# ${name} ${at}\n\nAbout ${name.toLowerCase()} and what number ${at} has to say of it. [[${name} ${(at + 1) % 6}]] [[${name} ${(at + 2) % 6}]]\n`,
		]),
	);
const VAULT = {
	...ring("Lantern"),
	...ring("Harbour"),
	"Heron.md": "# Heron\n\nThe heron stands at the weir below the mill. [[Lantern 1]] [[Harbour 1]]\n",
	"Eels.md": "---\ntags: 2024\nplace: weir # not mine\n---\n# Eels\n\nEels come up at dusk. [[Lantern 2]]\n",
};
const CHANGES = [
	{ path: "Heron.md", line: 3, before: "weir", after: "old weir", tags: [] },
	{ path: "Eels.md", line: 7, before: "dusk", after: "night", tags: ["river"] },
];

describe.skipIf(missing !== null)(
	`decisions that tidy the notes, in Chromium${missing ? ` (skipped: ${missing})` : ""}`,
	() => {
		let daemon: RunningDaemon;

		beforeAll(async () => {
			daemon = await RunningDaemon.start([{ name: "Notes", files: VAULT }]);
			for (const { path, line, before, after, tags } of CHANGES) {
				await daemon.post("/v1/review/propose", {
					vault: "Notes",
					path,
					why: "It reads better.",
					changes: [
						{ action: "replace", vault: "Notes", path, line, before, after },
						...tags.map((tag) => ({ action: "add-tags", vault: "Notes", path, tags: [tag] })),
					],
				});
			}
		});
		afterAll(async () => {
			await daemon?.remove();
		});

		it("are answered on the page by keyboard alone, written with the diff in sight, and taken back", async () => {
			const watched = await WatchedPage.open("light", () => daemon.url);
			const { page } = watched;
			await page.goto(await daemon.pageAddress());
			await page.getByRole("tab", { name: "Review" }).press("Enter");
			await page.locator(".sj-review-row", { hasText: "Heron" }).waitFor();
			await page.locator(".sj-finding", { hasText: "Heron" }).focus();
			await page.locator(".sj-diff ins", { hasText: "old weir" }).waitFor();
			expect(await watched.violations()).toEqual([]);
			for (const [width, scheme] of [
				[280, "dark"],
				[1280, "dark"],
			] as const) {
				await page.setViewportSize({ width, height: 720 });
				await page.emulateMedia({ colorScheme: scheme });
				expect(await watched.violations()).toEqual([]);
				expect(
					await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
				).toBeLessThanOrEqual(0);
			}
			await page.locator(".sj-finding", { hasText: "Heron" }).focus();
			await page.keyboard.press("y");
			await page.locator(".sj-review-accepted", { hasText: "1 accepted" }).waitFor();
			await page.keyboard.press("n");
			await page.locator(".sj-finding", { hasText: "Eels" }).waitFor({ state: "detached" });
			await page.keyboard.press("u");
			await page.locator(".sj-review-row", { hasText: "Eels" }).waitFor();
			const heron = join(daemon.vaultOf("Notes"), "Heron.md");
			expect(readFileSync(heron, "utf8")).toBe(VAULT["Heron.md"]);
			await page.keyboard.press("w");
			await page.locator(".sj-review-accepted .sj-diff ins", { hasText: "old weir" }).waitFor();
			expect(await watched.violations()).toEqual([]);
			expect(readFileSync(heron, "utf8")).toBe(VAULT["Heron.md"]);
			await page.getByRole("button", { name: "Write into the notes (W)" }).press("Enter");
			await page.locator(".page-toast", { hasText: "1 note changed" }).waitFor();
			expect(readFileSync(heron, "utf8")).toContain("the old weir");
			await page.locator(".sj-review-accepted summary").click();
			const run = page.locator(".sj-review-accepted li");
			expect(await run.innerText()).toContain("1 note");
			expect(await watched.violations()).toEqual([]);
			await run.getByRole("button").click();
			await expect.poll(() => readFileSync(heron, "utf8")).toBe(VAULT["Heron.md"]);
			await page.locator(".sj-review-row", { hasText: "Heron" }).waitFor();
			expect([watched.errors, watched.strangers]).toEqual([[], []]);
		});

		it("are written by Obsidian at once, once the user let it decide, and taken back", async () => {
			const watched = await WatchedPage.open("light", () => "https://obsidian.invalid");
			const { page } = watched;
			await openObsidian(page, daemon.home, { name: "Notes", folder: daemon.vaultOf("Notes"), files: VAULT });
			await page.evaluate(() => window.frame.command("pair"));
			await page.locator(".notice", { hasText: "This vault is paired" }).waitFor();
			await page.evaluate(() => window.frame.showPane("scrubjay-review"));
			await page.getByRole("button", { name: "Decide in Obsidian" }).press("Enter");
			await page.getByRole("button", { name: /^Yes: Suggested/ }).waitFor();
			await page.locator(".sj-finding", { hasText: "Eels" }).click();
			await page.locator(".sj-diff ins", { hasText: "at night" }).waitFor();
			expect(await watched.violations()).toEqual([]);
			await page.getByRole("button", { name: /^Yes: Suggested, Eels/ }).press("Enter");
			await expect
				.poll(() => page.evaluate(() => window.frame.contents("Eels.md")))
				.toBe(VAULT["Eels.md"].replace("dusk", "night").replace("tags: 2024", 'tags: ["2024", river]'));
			await page.locator(".sj-diff ins", { hasText: "old weir" }).waitFor();
			await page.locator(".sj-finding", { hasText: "Eels" }).waitFor({ state: "detached" });
			await page.locator(".sj-review").press("u");
			await expect.poll(() => page.evaluate(() => window.frame.contents("Eels.md"))).toBe(VAULT["Eels.md"]);
			expect(watched.errors).toEqual([]);
		});
	},
);

describe.skipIf(missing !== null)(`broken links, in Chromium${missing ? ` (skipped: ${missing})` : ""}`, () => {
	const COUNT = 10;
	const names = Array.from({ length: COUNT }, (_, at) => (at < 6 ? `Lantern ${at}` : `Harbour ${at - 6}`));
	const broken = Object.fromEntries(
		names.map((name, at) => [`Links ${at}.md`, `# Links ${at}\n\nSee [[Attic/${name}]] and [[Heron]].\n`]),
	);
	const files: Record<string, string> = {
		...VAULT,
		...broken,
		"Prose.md": "# Prose\n\nA link is written as [[link]] and leads to a note. [[Heron]]\n",
	};
	let daemon: RunningDaemon;

	beforeAll(async () => {
		daemon = await RunningDaemon.start([{ name: "Notes", files }]);
	});
	afterAll(async () => {
		await daemon?.remove();
	});

	const onDisk = (): Record<string, string> =>
		Object.fromEntries(
			Object.keys(files).map((path) => [path, readFileSync(join(daemon.vaultOf("Notes"), path), "utf8")]),
		);

	it("are ten keys and two more to mend, come before all else, and nothing wrong is written", async () => {
		const watched = await WatchedPage.open("light", () => daemon.url);
		const { page } = watched;
		await page.goto(await daemon.pageAddress());
		await page.getByRole("tab", { name: "Review" }).click();
		await page.locator(".sj-review-row .sj-diff ins").first().waitFor();
		expect(await page.locator(".sj-review-kind").allInnerTexts()).toEqual([
			...Array<string>(COUNT).fill("Broken link"),
			...(await page.locator(".sj-review-kind").allInnerTexts()).slice(COUNT),
		]);
		for (let at = 1; at <= COUNT; at += 1) {
			await page.locator(".sj-diff ins").first().waitFor();
			await page.keyboard.press("y");
			await page.locator(".sj-review-accepted", { hasText: `${at} accepted` }).waitFor();
		}
		expect(onDisk()).toEqual(files);
		await page.keyboard.press("w");
		await page.getByRole("button", { name: "Write into the notes (W)" }).waitFor();
		await page.keyboard.press("w");
		const toast = page.locator(".page-toast", { hasText: "10 notes changed" });
		await toast.waitFor();
		const written = Object.entries(broken).map(
			([path, text]) => [path, text.replace(/Attic\/(\w+)/, "$1/$1")] as const,
		);
		expect(onDisk()).toEqual({ ...files, ...Object.fromEntries(written) });
		await toast.getByRole("button", { name: "Undo" }).click();
		await expect.poll(onDisk).toEqual(files);
		expect(watched.errors).toEqual([]);
	});
});
