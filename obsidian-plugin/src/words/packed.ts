import type { Language } from "./languages";
import type { Table } from "./say";

/**
 * The table of one language, of all tables as the plugin carries them in one piece, since alike things compress better
 * together: a line with the languages, one with the keys, and one for each key in each language. A key that begins with a
 * point is of the same group as the one before it. Sentences that the plugin never says are left out.
 */
export function unpacked(text: string, language: Language): Table {
	const [languages = "", names = "", ...lines] = text.split("\n");
	let group = "";
	const keys = names.split(";").map((name) => {
		if (name.startsWith(".")) return group + name;
		group = name.split(".", 1).join();
		return name;
	});
	const first = languages.split(" ").indexOf(language) * keys.length;
	return Object.fromEntries(keys.map((key, index) => [key, saidBy(lines[first + index] ?? "")])) as Table;
}

function saidBy(line: string): unknown {
	const [one, other] = line.split("\t");
	if (other === undefined) return line;
	return one === "" ? { other } : { one, other };
}

/** What `words.mjs` has written, 13 bits with two characters from # on without the backslash; noughts may follow it. */
export function bytesOf(text: string): Uint8Array {
	const digit = (at: number): number => text.charCodeAt(at) - (text.charCodeAt(at) > 92 ? 36 : 35);
	const bytes: number[] = [];
	let [held, bits] = [0, 0];
	for (let at = 0; at < text.length; at += 2) {
		held |= (digit(at) + 91 * digit(at + 1)) << bits;
		for (bits += 13; bits > 7; bits -= 8) {
			bytes.push(held & 255);
			held >>= 8;
		}
	}
	return Uint8Array.from(bytes);
}
