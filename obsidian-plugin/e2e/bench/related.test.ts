/**
 * How soon related notes below a note of a megabyte follow what is written there: npm run bench:related
 *
 * Types a paragraph at the note's end in Chromium, with a real daemon, and prints what passes from the end of the pause in which
 * nothing was typed to the rows that were drawn and painted, what the page's thread worked for that in all, and the longest time
 * between two frames. The editor is that of the mocks: what Obsidian's own takes for a key is not in it.
 */
import { stdout } from "node:process";
import { expect, it } from "vitest";
import { WatchedPage } from "../support/browser";
import { RunningDaemon } from "../support/daemon";
import { openObsidian } from "../support/obsidian/serve";

const ROUNDS = 20;
const PAUSE_MS = 500;
const PARAGRAPH =
	"The pipeline stayed frozen while the error rate was watched, and nobody shipped on top of it. ".repeat(5);
const LONG = `# Long\n\n${`${PARAGRAPH}\n\n`.repeat(Math.ceil(1_000_000 / PARAGRAPH.length))}`;
/** Enough that what is near to one paragraph is not near to the next. */
const SUBJECTS = ["bread", "rivers", "chess", "violins", "taxes", "glaciers", "bees", "sailing", "looms", "vaccines"];
const NOTES = Object.fromEntries(
	Array.from({ length: 200 }, (_, number): [string, string] => {
		const subject = SUBJECTS[number % SUBJECTS.length] ?? "";
		return [
			`${subject} ${number}.md`,
			`# ${subject} ${number}\n\nOf ${subject} I learned on day ${number} how they are kept.\n`,
		];
	}),
);

it("related notes below a note of a megabyte follow what is written", async () => {
	const daemon = await RunningDaemon.start([{ name: "Work", files: NOTES }]);
	try {
		const { page } = await WatchedPage.open("light", () => "https://obsidian.invalid");
		await openObsidian(page, daemon.home, {
			name: "Work",
			folder: daemon.vaultOf("Work"),
			files: { ...NOTES, "Long.md": LONG },
		});
		await page.evaluate(() => window.frame.command("pair"));
		await page.locator(".status-bar", { hasText: "notes" }).waitFor();
		await page.evaluate(() => window.frame.below(true));
		await page.evaluate((line) => window.frame.edit("Long.md", line), LONG.split("\n").length - 1);
		await page.locator(".sj-below").scrollIntoViewIfNeeded();
		await page.locator(".sj-below .sj-chip", { hasText: "Follow" }).click();
		const devtools = await page.context().newCDPSession(page);
		await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
		const worked = async (): Promise<number> => {
			const { metrics } = await devtools.send("Performance.getMetrics");
			return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
		};
		const rounds: { drawn: number; work: number; frame: number }[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			await page.waitForTimeout(1_500);
			const written = `\n\nOf ${SUBJECTS[round % SUBJECTS.length]} I learned how they are kept, and wrote down ${round} of it. `;
			const before = await worked();
			const { drawn, frame } = await page.evaluate(
				async ([text, pause]) => {
					const list = document.querySelector(".sj-below .sj-list");
					if (!list) throw new Error("Nothing stands below the note.");
					let [last, longest, going] = [performance.now(), 0, true];
					const each = (now: number): void => {
						if (performance.now() - from > 100) longest = Math.max(longest, now - last); // the key itself is the mock's
						last = now;
						if (going) window.requestAnimationFrame(each);
					};
					window.frame.type(text);
					const from = performance.now();
					window.requestAnimationFrame(each);
					await new Promise<void>((resolve) => {
						const seen = new MutationObserver(() => (seen.disconnect(), resolve()));
						seen.observe(list, { childList: true });
					});
					await new Promise((resolve) => window.requestAnimationFrame(() => window.setTimeout(resolve)));
					const drawnAfter = performance.now() - from - pause;
					await new Promise((resolve) => window.setTimeout(resolve, 200));
					going = false;
					return { drawn: drawnAfter, frame: longest };
				},
				[written, PAUSE_MS] as const,
			);
			rounds.push({ drawn, frame, work: (await worked()) - before });
		}
		for (const part of ["drawn", "work", "frame"] as const) {
			const values = rounds.map((round) => round[part]).sort((a, b) => a - b);
			const [middle, most] = [values[Math.floor(values.length / 2)] ?? 0, values.at(-1) ?? 0];
			stdout.write(`${part}: n ${values.length}, p50 ${middle.toFixed(1)} ms, most ${most.toFixed(1)} ms\n`);
		}
		expect(rounds).toHaveLength(ROUNDS);
	} finally {
		await daemon.remove();
	}
});
