/**
 * How fast the page answers, on a daemon that runs already: scrubjay open --print | npm run bench
 *
 * Types sixty keys in three seconds, and prints the time from each to the first paint of results for what it made or for
 * more; of that what the daemon took from the question to its answer, and what the panel took from the key to the question
 * and from the answer to the paint; what the panel's thread worked for a keystroke, by the thread's own clock; and the frames
 * between, also while ten thousand results scroll by; last, how soon the review shows what waits. All but the thread's work is told by the clock on the wall: on a
 * busy machine it holds the wait for a processor.
 */
import { argv, env, stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

const TEXT = "how do I read the registry key of a window without blocking ";
const KEY_MS = 50;
const OPENINGS = 11;
const PARTS = { ScriptDuration: "scripts", RecalcStyleDuration: "styles", LayoutDuration: "layout" };
const browser = await chromium.launch({
	executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });

await page.addInitScript(() => {
	const seen = { waits: [], daemon: [], panel: [], frames: [], typed: [], underWay: 0 };
	const painted = ({ query, asked, answered }) => {
		const now = performance.now();
		const found = seen.typed.findIndex((key) => key.query === query);
		for (const { at, isFree, query: own } of seen.typed.splice(0, found + 1)) {
			seen.waits.push(now - at);
			if (own === query && isFree) seen.panel.push(asked - at + now - answered);
		}
	};
	const afterPaint = (act) =>
		window.requestAnimationFrame(() => {
			const channel = new MessageChannel();
			channel.port1.onmessage = act;
			channel.port2.postMessage(null);
		});
	const ask = window.fetch.bind(window);
	window.fetch = async (path, init) => {
		if (path !== "/v1/search") return ask(path, init);
		const { query, typing } = JSON.parse(init.body);
		const asked = performance.now();
		if (typing) seen.underWay += 1;
		const reply = await ask(path, init);
		const read = reply.text.bind(reply);
		reply.text = async () => {
			const text = await read();
			const answered = performance.now();
			if (typing) seen.underWay -= 1;
			seen.daemon.push(answered - asked);
			afterPaint(() => painted({ query, asked, answered }));
			return text;
		};
		return reply;
	};
	window.addEventListener(
		"input",
		({ target, timeStamp }) => seen.typed.push({ query: target.value, at: timeStamp, isFree: seen.underWay === 0 }),
		true,
	);
	let last = performance.now();
	const frame = (now) => {
		seen.frames.push(now - last);
		last = now;
		window.requestAnimationFrame(frame);
	};
	window.requestAnimationFrame(frame);
	window.seen = seen;
	window.forgetSeen = () => {
		for (const list of Object.values(seen)) if (Array.isArray(list)) list.length = 0;
	};
});
await page.goto(argv[2] ?? (await text(stdin)).trim()); // by a pipe: all can read a command line
await page.locator(".sj-input").waitFor();

const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
/** Milliseconds that the page's own thread has worked so far, by kind. */
const worked = async () => {
	const { metrics } = await devtools.send("Performance.getMetrics");
	return Object.keys(PARTS).map((part) => 1000 * (metrics.find(({ name }) => name === part)?.value ?? 0));
};

const quantile = (values, part) =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
const told = (name, values) =>
	stdout.write(
		`${name}: n ${values.length}, p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms, most ${Math.max(0, ...values).toFixed(1)} ms\n`,
	);

for (let round = 1; round <= 3; round += 1) {
	await page.locator(".sj-input").fill("");
	await page.evaluate(() => window.forgetSeen());
	const before = await worked();
	await page.locator(".sj-input").pressSequentially(TEXT, { delay: KEY_MS });
	await page.waitForTimeout(600);
	const perKey = (await worked()).map((after, part) => (after - before[part]) / TEXT.length);
	const { waits, daemon, panel, frames } = await page.evaluate(() => window.seen);
	told(`round ${round}, keystroke to paint`, waits);
	told(`round ${round}, of that the daemon`, daemon);
	told(`round ${round}, of that the panel`, panel);
	const parts = Object.values(PARTS).map((name, part) => `${name} ${perKey[part].toFixed(1)}`);
	stdout.write(
		`round ${round}, the panel's work for a keystroke: ${perKey.reduce((sum, part) => sum + part, 0).toFixed(1)} ms (${parts.join(", ")})\n`,
	);
	told(`round ${round}, frames`, frames);
}

await page.route("**/v1/search", async (route) => {
	const reply = await route.fetch();
	const answer = await reply.json();
	const results = Array.from({ length: 10_000 }, (_, index) => ({
		...answer.results[index % answer.results.length],
		path: `${index}.md`,
	}));
	await route.fulfill({
		response: reply,
		json: { ...answer, results, total_notes: results.length, next_offset: null },
	});
});
await page.locator(".sj-input").fill("registry");
await page.locator(".sj-summary", { hasText: "10,000" }).waitFor();
await page.evaluate(() => window.forgetSeen());
await page.locator(".sj-results").hover();
for (let step = 0; step < 120; step += 1) {
	await page.mouse.wheel(0, 900);
	await page.waitForTimeout(16);
}
told("10,000 results, frames while scrolling", (await page.evaluate(() => window.seen)).frames);
await page.unroute("**/v1/search");

const address = new URL(page.url()).origin;
const opened = [];
for (let time = 0; time < OPENINGS; time += 1) {
	await page.goto("about:blank");
	await page.goto(`${address}/#/search`);
	await page.locator(".sj-line").first().waitFor();
	opened.push(
		await page.evaluate(
			() =>
				new Promise((resolve) => {
					const tab = [...document.querySelectorAll("[role=tab]")].find(
						({ id }) => document.querySelector(`[aria-labelledby="${id}"] .sj-review`) !== null,
					);
					const from = performance.now();
					const look = () =>
						document.querySelector(".sj-review-row, .sj-review .sj-notice")
							? resolve(performance.now() - from)
							: window.requestAnimationFrame(look);
					tab.click();
					window.requestAnimationFrame(look);
				}),
		),
	);
}
told("Review, from its tab to what it shows", opened);
const shown = await page.locator(".sj-review-row").count();
stdout.write(`Review: ${shown} proposals shown, ${await page.locator(".sj-review h2").first().innerText()}\n`);

const scripts = await page.evaluate(() =>
	performance
		.getEntriesByType("resource")
		.filter(({ name }) => name.endsWith(".js"))
		.map(({ name, decodedBodySize }) => [new URL(name).pathname, decodedBodySize]),
);
const bytes = scripts.reduce((sum, [, size]) => sum + size, 0);
stdout.write(`scripts that the page fetches to open: ${(bytes / 1000).toFixed(0)} kB in ${scripts.length} files\n`);
await browser.close();
