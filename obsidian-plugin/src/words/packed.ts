import type { Language } from "./languages";
import type { Table } from "./say";

/**
 * The tables as the plugin carries them, in one piece: alike things compress better together. Sentences that the plugin never
 * says are left out.
 */
export interface PackedWords {
	/** With a semicolon between them. */
	keys: string;
	/** For each key its sentence, or its plural forms. */
	sentences: Record<Language, unknown[]>;
}

/** The table of one language. json: of `PackedWords`. */
export function unpacked(json: string, language: Language): Table {
	const { keys, sentences } = JSON.parse(json) as PackedWords;
	return Object.fromEntries(keys.split(";").map((key, index) => [key, sentences[language][index]])) as Table;
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
