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

/** What `words.mjs` has written with 85 characters, from # on without the backslash; up to three noughts may follow it. */
export function bytesOf(text: string): Uint8Array {
	const bytes = new DataView(new ArrayBuffer((text.length / 5) * 4));
	for (let at = 0; at < text.length; at += 5) {
		let word = 0;
		for (let next = at; next < at + 5; next += 1) {
			const code = text.charCodeAt(next);
			word = word * 85 + code - (code > 92 ? 36 : 35);
		}
		bytes.setUint32((at / 5) * 4, word);
	}
	return new Uint8Array(bytes.buffer);
}
