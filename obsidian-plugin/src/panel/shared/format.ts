/** Words for numbers and times. Everything takes `now`, so that it can be tested. */

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
	["year", 31_557_600],
	["month", 2_629_800],
	["week", 604_800],
	["day", 86_400],
	["hour", 3_600],
	["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** "3 days ago"; "just now" below a minute; "" for a time that is missing or cannot be read. */
export function ago(iso: string | null | undefined, now: Date): string {
	const then = iso ? Date.parse(iso) : Number.NaN;
	if (Number.isNaN(then)) return "";
	const seconds = (now.getTime() - then) / 1000;
	for (const [unit, size] of UNITS) {
		if (Math.abs(seconds) >= size) return relative.format(-Math.round(seconds / size), unit);
	}
	return "just now";
}

/** "1 note", "2,000 notes". */
export function count(number: number, singular: string, plural = `${singular}s`): string {
	return `${number.toLocaleString("en")} ${number === 1 ? singular : plural}`;
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
