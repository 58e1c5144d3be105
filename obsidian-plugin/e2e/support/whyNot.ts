import { MISSING_BROWSER } from "./browser";
import { MISSING_DAEMON } from "./daemon";

/** Says, once for a run, why no test that needs a browser runs here. */
export function setup(): void {
	const missing = MISSING_DAEMON ?? MISSING_BROWSER;
	if (missing !== null) console.warn(`The browser tests are skipped: ${missing}.`);
}
