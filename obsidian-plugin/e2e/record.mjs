/**
 * Takes the pictures of the README's story, of a daemon that runs on the sample vault: the address of `scrubjay open
 * --print` on standard input, the folder for the pictures as the argument. `packaging/moving_picture.py` calls it.
 *
 * Each picture is NUMBER-MILLISECONDS.png: how long it is to be seen. Waiting for the daemon is not in it.
 */
import { join } from "node:path";
import { argv, env, stdin } from "node:process";
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

const SIZE = { width: 1180, height: 700 };
const KEY_MS = 90;
const LOOK_MS = 1_300;
const READ_MS = 3_200;

const browser = await chromium.launch({
	executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
const page = await browser.newPage({ viewport: SIZE, locale: "en-GB", colorScheme: "light", reducedMotion: "reduce" });
let taken = 0;

async function show(milliseconds) {
	await page.screenshot({
		path: join(argv[2], `${String(taken++).padStart(3, "0")}-${milliseconds}.png`),
		animations: "disabled",
		caret: "initial",
	});
}

async function settled() {
	await page.locator(".sj-search:not(.is-busy)").waitFor();
	await page.waitForTimeout(400); // the pause after which meaning is asked, and the reader that follows
	await page.locator(".sj-search:not(.is-busy)").waitFor();
}

/** Five keys a picture: as smooth as it needs to be, at a fifth of the size. */
async function type(query) {
	for (let at = 0; at < query.length; at += 5) {
		await page.keyboard.type(query.slice(at, at + 5));
		await page.locator(".sj-search:not(.is-busy)").waitFor();
		await show(5 * KEY_MS);
	}
	await settled();
}

await page.goto((await text(stdin)).trim());
await page.locator(".sj-input").click();
await settled();
await show(LOOK_MS);

await type("mend a hole in rubber boots");
await show(LOOK_MS);
await page.keyboard.press("ArrowDown"); // the first after the one that is selected
await settled();
await show(READ_MS);

await page.locator(".sj-input").fill("");
await settled();
await show(LOOK_MS / 2);
await type("who signed on the bonnet of the car?");
await show(READ_MS);
await browser.close();
