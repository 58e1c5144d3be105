/**
 * How fast the page answers, on a daemon that runs already: node e2e/measure.mjs "$(scrubjay open --print)"
 *
 * Types as a person does, and prints the time from a keystroke to the paint of its results, the frames that were late,
 * and the frames while ten thousand results scroll by.
 */
import { argv, env, stdout } from "node:process";
import { chromium } from "playwright-core";

const TEXT = "how do I read the registry key of a window without blocking ";
const KEY_MS = 50;
const browser = await chromium.launch({ executablePath: env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(argv[2] ?? "");
await page.locator(".sj-input").waitFor();

await page.evaluate(() => {
	const seen = { latencies: [], frames: [], typed: 0 };
	Object.assign(window, { seen });
	window.addEventListener("input", () => (seen.typed = performance.now()), true);
	const painted = () => {
		const { typed } = seen;
		if (typed === 0) return;
		seen.typed = 0;
		window.requestAnimationFrame(() => {
			const channel = new MessageChannel();
			channel.port1.onmessage = () => seen.latencies.push(performance.now() - typed);
			channel.port2.postMessage(null);
		});
	};
	new MutationObserver(painted).observe(document.querySelector(".sj-list"), { childList: true });
	let last = performance.now();
	const frame = (now) => {
		seen.frames.push(now - last);
		last = now;
		window.requestAnimationFrame(frame);
	};
	window.requestAnimationFrame(frame);
});

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
const told = (name, values) => stdout.write(`${name}: n ${values.length}, p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms, most ${Math.max(0, ...values).toFixed(1)} ms\n`);

for (let round = 0; round < 3; round += 1) {
	await page.locator(".sj-input").fill("");
	await page.evaluate(() => (window.seen.frames.length = window.seen.latencies.length = 0));
	await page.locator(".sj-input").pressSequentially(TEXT, { delay: KEY_MS });
	await page.waitForTimeout(600);
	const { latencies, frames } = await page.evaluate(() => window.seen);
	told(`round ${round + 1}, keystroke to paint`, latencies);
	told(`round ${round + 1}, frames`, frames);
}

await page.route("**/v1/search", async (route) => {
	const reply = await route.fetch();
	const answer = await reply.json();
	const results = Array.from({ length: 10_000 }, (_, index) => ({ ...answer.results[index % answer.results.length], path: `${index}.md` }));
	await route.fulfill({ response: reply, json: { ...answer, results } });
});
await page.locator(".sj-input").fill("registry");
await page.locator(".sj-summary", { hasText: "10,000" }).waitFor();
await page.evaluate(() => (window.seen.frames.length = 0));
await page.locator(".sj-results").hover();
for (let step = 0; step < 120; step += 1) {
	await page.mouse.wheel(0, 900);
	await page.waitForTimeout(16);
}
told("10,000 results, frames while scrolling", (await page.evaluate(() => window.seen)).frames);
await browser.close();
