import { MISSING_BROWSER } from "./browser";
import { forkCommands, MISSING_DAEMON } from "./daemon";

/** Says, once for a run, why no test that needs a browser runs here; where they run, makes their commands quick. */
export async function setup(): Promise<() => void> {
	const missing = MISSING_DAEMON ?? MISSING_BROWSER;
	if (missing === null) return forkCommands();
	console.warn(`The browser tests are skipped: ${missing}.`);
	return () => {};
}
