import type { Language } from "./languages";
import type { Table } from "./say";

/**
 * The tables as the plugin carries them, in one piece: alike things compress better together. Sentences that the plugin never
 * says are left out.
 */
export interface PackedWords {
	keys: string[];
	/** For each key its sentence, or its plural forms. */
	sentences: Record<Language, unknown[]>;
}

/** The table of one language. json: of `PackedWords`. */
export function unpacked(json: string, language: Language): Table {
	const { keys, sentences } = JSON.parse(json) as PackedWords;
	return Object.fromEntries(keys.map((key, index) => [key, sentences[language][index]])) as Table;
}
