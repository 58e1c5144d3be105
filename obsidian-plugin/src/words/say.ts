/**
 * All that users read in the panel, the page and the plugin stands in one file per language, in `daemon/sentences/` (in the
 * plugin's own repository `sentences/`), and is said by its key: `say("area.what", { name })`.
 *
 * What varies stands in braces. Where the words depend on a number, the entry is an object with the plural forms of the
 * language (`one`, `other`), chosen by `count`. CONTRIBUTING.md, "Sentences", says how one is added.
 */
import type { Sentences } from "./keys";
import { digits, pluralOf, type Language } from "./languages";

/** A sentence in the forms that its number needs. */
export type Counted = Readonly<{ one?: string; other: string }>;

export type WordKey = keyof Sentences<never>;
/** What a language has to say for each key. */
export type Table = Readonly<Record<WordKey, string | Counted>>;

const PLACE = /\{(\w+)\}/;
let spoken: { language: Language; table: Table } | null = null;

/** Speak this language from now on. What was said before stays as it is. */
export function speak(language: Language, table: Table): void {
	spoken = { language, table };
}

/** The language that is spoken. Throws before `speak`: words are chosen when something is shown, never when a module is loaded. */
export function language(): Language {
	return current().language;
}

let ordered: { language: Language; collator: Intl.Collator } | null = null;

/** Which of two names comes first in the alphabet of the language that is spoken, for `sort`; numbers in them by their value. */
export function compareNames(a: string, b: string): number {
	const wanted = language();
	if (ordered?.language !== wanted)
		ordered = { language: wanted, collator: new Intl.Collator(wanted, { numeric: true }) };
	return ordered.collator.compare(a, b);
}

/** What the key says, its numbers written as the language writes them. */
export function say<Key extends WordKey>(key: Key, ...given: Sentences<string | number>[Key]): string {
	const parts = sayAround(key, ...(given as Sentences<string | number | Node>[Key]));
	return parts.map((part) => (typeof part === "string" ? part : (part.textContent ?? ""))).join("");
}

/** As `say`, for a sentence around elements: its parts in their order. */
export function sayAround<Key extends WordKey>(
	key: Key,
	...[values]: Sentences<string | number | Node>[Key]
): (string | Node)[] {
	const named = (values ?? {}) as Readonly<Record<string, string | number | Node>>;
	const parts = formOf(key, named["count"]).split(PLACE);
	return parts
		.map((part, index) => (index % 2 === 0 ? part : written(named[part] ?? "")))
		.filter((part) => part !== "");
}

/** Is it the key of something to say? For codes that come from the daemon, which may be newer than this panel. */
export function isKey(key: string): key is WordKey {
	return key in current().table;
}

/** A number as the language writes it: "2,000", "2.000", "2 000"; "3.5", "3,5". Decimals as given. */
export function writtenNumber(number: number | string): string {
	return digits(String(number), {
		group: formOf("number.group"),
		groupFrom: Number(formOf("number.groupFrom")),
		decimal: formOf("number.decimal"),
	});
}

function formOf(key: WordKey, count?: unknown): string {
	const entry = current().table[key];
	if (typeof entry === "string") return entry;
	return entry[pluralOf(formOf("number.ones"), Number(count))] ?? entry.other;
}

function written(value: string | number | Node): string | Node {
	return typeof value === "number" ? writtenNumber(value) : value;
}

function current(): { language: Language; table: Table } {
	if (spoken === null) throw new Error("no language was chosen yet");
	return spoken;
}
