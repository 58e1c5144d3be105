/** Numbers and lists in words of the language that is spoken. */
import { say, writtenNumber } from "../../words/say";

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
