import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const CANDIDATES = [
	process.env["CHROMIUM"],
	"/usr/bin/chromium-headless-shell", // without the windows that nobody sees: two thirds of the processor time
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
];
const CHROMIUM = CANDIDATES.find((path) => path !== undefined && existsSync(path));
const FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

export const MISSING_BROWSER =
	CHROMIUM === undefined ? "there is no Chromium: install it, or name it in $CHROMIUM" : null;

/** Of the pages in which a test failed: pictures, and what they were refused. */
const ARTIFACTS = join(import.meta.dirname, "../../../tests/e2e/artifacts");

export type Scheme = "light" | "dark";

let browser: Browser | null = null;

/** The one that all tests of a run share; it ends with their process. */
async function sharedBrowser(): Promise<Browser> {
	if (!browser?.isConnected())
		browser = await chromium.launch({ ...(CHROMIUM ? { executablePath: CHROMIUM } : {}), args: FLAGS });
	return browser;
}

/**
 * A page that writes down what must not happen: errors, and requests to anywhere but the daemon. It closes with its test, and leaves
 * a picture and what was refused where that failed.
 */
export class WatchedPage {
	readonly errors: string[] = [];
	readonly strangers: string[] = [];
	private readonly refused: Promise<string>[] = [];

	private constructor(
		readonly page: Page,
		readonly context: BrowserContext,
	) {}

	/** language: what the browser says that its user reads. */
	static async open(scheme: Scheme, origin: () => string, language = "en-GB"): Promise<WatchedPage> {
		const context = await (
			await sharedBrowser()
		).newContext({
			colorScheme: scheme,
			locale: language,
			viewport: { width: 1280, height: 800 },
			reducedMotion: "reduce", // a light that breathes is drawn sixty times a second, here by the processor
			permissions: ["clipboard-read", "clipboard-write"],
		});
		context.setDefaultTimeout(180_000); // what starts a process takes a minute on a machine that is busy with others
		const page = await context.newPage();
		const watched = new WatchedPage(page, context);
		onTestFinished(({ task }) => watched.leave(task.result?.state === "fail" ? task.name : null));
		page.on("pageerror", (error) => watched.errors.push(error.message));
		page.on("console", (message) => message.type() === "error" && watched.errors.push(message.text()));
		page.on("request", (request) => {
			if (!request.url().startsWith(`${origin()}/`) && !request.url().startsWith("data:"))
				watched.strangers.push(request.url());
		});
		page.on("response", (response) => {
			const said = `${response.status()} ${response.url()}`;
			if (!response.ok())
				watched.refused.push(
					response.text().then(
						(text) => `${said} ${text}`,
						() => said,
					),
				);
		});
		await page.addInitScript(() => {
			const opened: string[] = [];
			Object.assign(window, { opened });
			window.open = (url) => {
				opened.push(String(url));
				return null;
			};
		});
		return watched;
	}

	/** Addresses that the page asked the system to open. */
	opened(): Promise<string[]> {
		return this.page.evaluate(() => (window as unknown as { opened: string[] }).opened);
	}

	/** What axe finds wrong on the page as it stands, one line each. */
	async violations(): Promise<string[]> {
		// Half a megabyte of source: once for each document.
		if (!(await this.page.evaluate(() => "axe" in window))) await this.page.evaluate(axe.source);
		const found = await this.page.evaluate(async () => {
			const run = (window as unknown as { axe: typeof axe }).axe.run;
			return (await run(document, { resultTypes: ["violations"] })).violations.map(({ id, nodes }) => ({
				id,
				where: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
			}));
		});
		return found.flatMap(({ id, where }) => where.map((node) => `${id}: ${node}`));
	}

	async close(): Promise<void> {
		await this.context.close();
	}

	/** failed: the name of the test that did. */
	private async leave(failed: string | null): Promise<void> {
		if (failed !== null && !this.page.isClosed()) {
			mkdirSync(ARTIFACTS, { recursive: true });
			const place = join(ARTIFACTS, failed.replace(/\W+/g, "-").slice(0, 80));
			await this.page.screenshot({ path: `${place}.png` });
			writeFileSync(`${place}.txt`, [...(await Promise.all(this.refused)), ...this.errors].join("\n"));
		}
		await this.close();
	}
}
