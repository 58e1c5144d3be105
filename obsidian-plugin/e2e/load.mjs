/**
 * How much the plugin adds to Obsidian's start: npm run bench:load
 *
 * Evaluates the shipped bundle and runs its `onload` in Chromium, against Obsidian's API in memory, each time in a fresh process
 * that has no code of it cached, and prints what its main thread worked for that. What the stand-ins for Obsidian's own
 * classes take is in the figure of `onload`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env, stdout } from "node:process";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const ROUNDS = 25;
const PLUGIN = join(import.meta.dirname, "../../daemon/cli/plugin_files/main.js");
const FRAME = `
	import * as api from "./api";
	import * as node from "./node";
	import { App } from "obsidian-test-mocks/obsidian";
	import { setup } from "obsidian-test-mocks/setup";
	setup();
	Object.assign(window, { api, node, app: App.createConfigured__({}), process: { env: {} }, Buffer: { from: (text) => text } });
`;

const frame = await build({
	stdin: { contents: FRAME, resolveDir: join(import.meta.dirname, "support/obsidian"), loader: "ts" },
	bundle: true,
	write: false,
	format: "iife",
	logLevel: "error",
});
const plugin = await readFile(PLUGIN, "utf8");

/** One start in a process of its own: milliseconds of thread time for the evaluation and for `onload`. */
async function start() {
	const browser = await chromium.launch({
		executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
	});
	try {
		const page = await browser.newPage();
		await page.addScriptTag({ content: frame.outputFiles[0].text });
		const devtools = await page.context().newCDPSession(page);
		await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
		const worked = async () => {
			const { metrics } = await devtools.send("Performance.getMetrics");
			return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
		};
		const cost = async (work, argument) => {
			const before = await worked();
			await page.evaluate(work, argument);
			return (await worked()) - before;
		};
		const handing = await cost((code) => code.length, plugin);
		const evaluated = await cost((code) => {
			const script = document.createElement("script");
			script.textContent = `window.plugin = (function (module, require) { var exports = module.exports; ${code}\nreturn module.exports.default; })`;
			document.head.append(script);
			window.Plugin = window.plugin({ exports: {} }, (name) => (name === "obsidian" ? window.api : window.node));
		}, plugin);
		const loaded = await cost(() =>
			new window.Plugin(window.app, { id: "scrubjay", name: "Scrubjay", version: "0.1.0" }).onload(),
		);
		return { evaluated: evaluated - handing, loaded };
	} finally {
		await browser.close();
	}
}

const quantile = (values, part) =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))];
const told = (name, values) =>
	stdout.write(`${name}: p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms\n`);

const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await start());
told(
	"evaluating main.js",
	rounds.map(({ evaluated }) => evaluated),
);
told(
	"onload",
	rounds.map(({ loaded }) => loaded),
);
told(
	"both",
	rounds.map(({ evaluated, loaded }) => evaluated + loaded),
);
