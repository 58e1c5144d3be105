import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../src/words/keys";
import type { Language } from "../../src/words/languages";
import type { Table } from "../../src/words/say";

const SENTENCES = join(import.meta.dirname, "../../../daemon/sentences");
/** Sections that only the daemon reads. */
const NOT_THE_PANELS = ["tray", "setup"];

/** Every language's sentences of the panel. */
export const TABLES = Object.fromEntries(LANGUAGES.map((language) => [language, tableOf(language)])) as Readonly<
	Record<Language, Table>
>;
export const EN = TABLES.en;

function tableOf(language: Language): Table {
	const sections = JSON.parse(readFileSync(join(SENTENCES, `${language}.json`), "utf8")) as Record<string, object>;
	const read = Object.entries(sections).filter(([section]) => !NOT_THE_PANELS.includes(section));
	return Object.assign({}, ...read.map(([, sentences]) => sentences)) as Table;
}
