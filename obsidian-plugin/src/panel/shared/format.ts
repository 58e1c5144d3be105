/** Words for numbers and times. Everything takes `now`, so that it can be tested. */

const DAY_S = 86_400;
/** A unit, its seconds, and how one of it ago and one of it ahead is called if there is a word for it. */
const UNITS: readonly [unit: string, seconds: number, last?: string, next?: string][] = [
	["year", 365.25 * DAY_S, "last year", "next year"],
	["month", 30.4375 * DAY_S, "last month", "next month"],
	["week", 7 * DAY_S, "last week", "next week"],
	["day", DAY_S, "yesterday", "tomorrow"],
	["hour", 3_600],
	["minute", 60],
];

/** "3 days ago"; "just now" below a minute; "" for a time that is missing or cannot be read. */
export function ago(iso: string | null | undefined, now: Date): string {
	const then = iso ? Date.parse(iso) : Number.NaN;
	if (Number.isNaN(then)) return "";
	const seconds = (now.getTime() - then) / 1000;
	for (const [unit, size, last, next] of UNITS) {
		const units = Math.round(Math.abs(seconds) / size);
		if (Math.abs(seconds) < size) continue;
		const word = seconds > 0 ? last : next;
		if (units === 1 && word) return word;
		return seconds > 0 ? `${count(units, unit)} ago` : `in ${count(units, unit)}`;
	}
	return "just now";
}

/** "2,000". By hand: the first use of the browser's own locale data takes longer than drawing all results does. */
export function grouped(number: number): string {
	return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 note", "2,000 notes". */
export function count(number: number, singular: string, plural = `${singular}s`): string {
	return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

/** "a", "a and b", "a, b and c". */
export function listed(words: readonly string[]): string {
	if (words.length < 2) return words.join("");
	return `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
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
