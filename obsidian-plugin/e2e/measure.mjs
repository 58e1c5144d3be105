/**
 * How fast the page answers, on a daemon that runs already: node e2e/measure.mjs "$(scrubjay open --print)"
 *
 * Types sixty keys in three seconds, and prints the time from each to the first paint of results for what it made or for more, how much of it the
 * daemon took by its own account, what the page's own thread worked for a keystroke, the frames between, and the frames
 * while ten thousand results scroll by. Paint times are those of the machine as it is: a busy one waits for its processors.
 */
import { argv, env, stdout } from "node:process";
import { chromium } from "playwright-core";

const TEXT = "how do I read the registry key of a window without blocking ";
const KEY_MS = 50;
const browser = await chromium.launch({ executablePath: env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.addInitScript(() => {
	const ask = window.fetch.bind(window);
	window.fetch = async (path, init) => {
		const reply = await ask(path, init);
		const read = reply.text.bind(reply);
		if (path === "/v1/search") reply.text = () => read().finally(() => (window.seen.answered = JSON.parse(init.body).query));
		return reply;
	};
});
await page.goto(argv[2] ?? "");
await page.locator(".sj-input").waitFor();

await page.evaluate(() => {
	const seen = { latencies: [], frames: [], typed: [], answered: "" };
	Object.assign(window, { seen });
	window.addEventListener("input", ({ target }) => seen.typed.push({ query: target.value, at: performance.now() }), true);
	const painted = () => {
		const found = seen.typed.findIndex(({ query }) => query === seen.answered);
		const keys = seen.typed.splice(0, found + 1);
		if (keys.length === 0) return;
		window.requestAnimationFrame(() => {
			const channel = new MessageChannel();
			channel.port1.onmessage = () => seen.latencies.push(...keys.map(({ at }) => performance.now() - at));
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

const tooks = [];
page.on("response", (reply) => {
	if (reply.url().endsWith("/v1/search")) reply.json().then(({ took_ms }) => tooks.push(took_ms), () => undefined);
});
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");
/** Seconds that the page's own thread has worked so far: scripts, styles, layout. */
const worked = async () => {
	const { metrics } = await devtools.send("Performance.getMetrics");
	return metrics.reduce((sum, { name, value }) => sum + (["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"].includes(name) ? value : 0), 0);
};

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
const told = (name, values) => stdout.write(`${name}: n ${values.length}, p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms, most ${Math.max(0, ...values).toFixed(1)} ms\n`);

for (let round = 0; round < 3; round += 1) {
	await page.locator(".sj-input").fill("");
	await page.evaluate(() => (window.seen.frames.length = window.seen.latencies.length = window.seen.typed.length = 0));
	tooks.length = 0;
	const before = await worked();
	await page.locator(".sj-input").pressSequentially(TEXT, { delay: KEY_MS });
	await page.waitForTimeout(600);
	const perKey = (1000 * ((await worked()) - before)) / TEXT.length;
	const { latencies, frames } = await page.evaluate(() => window.seen);
	told(`round ${round + 1}, keystroke to paint`, latencies);
	told(`round ${round + 1}, of that the daemon`, tooks);
	stdout.write(`round ${round + 1}, the page's own work for a keystroke: ${perKey.toFixed(1)} ms\n`);
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
