/** The panel's sentences in the two forms that are shipped: packed into the plugin's one file, and a file per language for the page. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** The languages, each beside those that it has words in common with: so they compress best. */
const ALIKE = ["en", "es", "fr", "de", "zh", "ja"];

/** The tables by language, from the files of a folder. */
export function readTables(folder) {
	const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
	return Object.fromEntries(files.map((file) => [basename(file, ".json"), tableIn(join(folder, file))]));
}

/** All but what only the daemon says. */
function tableIn(file) {
	const { tray, setup, ...sections } = JSON.parse(readFileSync(file, "utf8"));
	return Object.assign({}, ...Object.values(sections));
}

/** Says of a key whether bundled code says it: by its name, or as one of several that begin alike. */
export function saidIn(code) {
	const begins = [...code.matchAll(/`([A-Za-z]+\.(?:[\w-]+\.)?)\$\{/g)].map(([, begin]) => begin);
	return (key) => code.includes(`"${key}"`) || begins.some((begin) => key.startsWith(begin));
}

/** Those that are wanted, as `PackedWords` of `src/words/packed.ts` in a piece of code. */
export function packed(tables, isWanted) {
	const keys = Object.keys(tables.en).filter(isWanted);
	const languages = Object.keys(tables).sort((a, b) => ALIKE.indexOf(a) - ALIKE.indexOf(b));
	const sentences = languages.map((language) => [language, keys.map((key) => tables[language][key])]);
	return JSON.stringify(compressed({ keys: keys.join(";"), sentences: Object.fromEntries(sentences) }));
}

/** Write `words-de.json` and its likes. */
export function writeForPage(tables, folder) {
	mkdirSync(folder, { recursive: true });
	for (const [language, table] of Object.entries(tables))
		writeFileSync(`${folder}/words-${language}.json`, JSON.stringify(table));
}

function compressed(value) {
	const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_MAX_QUALITY } = constants;
	const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT };
	return brotliCompressSync(JSON.stringify(value), { params }).toString("base64");
}
