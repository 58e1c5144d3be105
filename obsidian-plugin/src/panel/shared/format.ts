/** Numbers, times and lists in words of the language that is spoken. Everything takes `now`, so that it can be tested. */
import { say, writtenNumber } from "../../words/say";

const DAY_S = 86_400;
/** A unit and its seconds; of the larger ones, one ago and one ahead have words of their own ("yesterday"). */
const UNITS = [
	["year", 365.25 * DAY_S],
	["month", 30.4375 * DAY_S],
	["week", 7 * DAY_S],
	["day", DAY_S],
	["hour", 3_600],
	["minute", 60],
] as const;

/** "3 days ago"; "just now" below a minute; "" for a time that is missing or cannot be read. */
export function ago(iso: string | null | undefined, now: Date): string {
	const then = iso ? Date.parse(iso) : Number.NaN;
	if (Number.isNaN(then)) return "";
	const seconds = (now.getTime() - then) / 1000;
	for (const [unit, size] of UNITS) {
		const count = Math.round(Math.abs(seconds) / size);
		if (Math.abs(seconds) < size) continue;
		if (count === 1 && unit !== "hour" && unit !== "minute")
			return say(seconds > 0 ? `last.${unit}` : `next.${unit}`);
		return say(seconds > 0 ? `ago.${unit}` : `ahead.${unit}`, { count });
	}
	return say("ago.now");
}

/** "2,000". */
export function grouped(number: number): string {
	return writtenNumber(number);
}

/** "a", "a and b", "a, b and c". */
export function listed(words: readonly string[]): string {
	if (words.length < 2) return words.join("");
	const first = words.slice(0, -1).reduce((before, next) => say("list.more", { first: before, next }));
	return say("list.two", { first, last: words.at(-1) ?? "" });
}

/** The folder of a vault-relative path, "" for the vault's root. */
export function folderOf(path: string): string {
	const slash = path.lastIndexOf("/");
	return slash < 0 ? "" : path.slice(0, slash);
}

/** The file's name without folder and without ".md". */
export function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
}
