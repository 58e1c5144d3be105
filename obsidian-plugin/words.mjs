/** The panel's sentences in the two forms that are shipped: packed into the plugin's one file, and a file per language for the page. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** The languages, each beside those that it has words in common with: so they compress best. */
const ALIKE = ["en", "es", "fr", "de", "zh", "ja"];

/** The first of the 91 characters, of which two have 13 bits; a backslash is none of them. */
const [FIRST, BACKSLASH] = [35, 92];

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

/** Those that are wanted, as `unpacked` of `src/words/packed.ts` reads them once they are decompressed, in a piece of code. */
export function packed(tables, isWanted) {
	const keys = Object.keys(tables.en).filter(isWanted);
	const languages = Object.keys(tables).sort((a, b) => ALIKE.indexOf(a) - ALIKE.indexOf(b));
	const groupOf = (key) => key?.split(".", 1)[0];
	const names = keys.map((key, at) =>
		groupOf(key) === groupOf(keys[at - 1]) ? key.slice(groupOf(key).length) : key,
	);
	const lines = languages.flatMap((language) => keys.map((key) => lineOf(tables[language][key])));
	return JSON.stringify(compressed([languages.join(" "), names.join(";"), ...lines].join("\n")));
}

/** A sentence; of plural forms, a tab before the one that is there always. */
function lineOf(said) {
	return typeof said === "string" ? said : `${said.one ?? ""}\t${said.other}`;
}

/** Write `words-de.json` and its likes. */
export function writeForPage(tables, folder) {
	mkdirSync(folder, { recursive: true });
	for (const [language, table] of Object.entries(tables))
		writeFileSync(`${folder}/words-${language}.json`, JSON.stringify(table));
}

/** Brotli, written with all 91 characters from # on that a string literal need not escape. `bytesOf` of `src/words/packed.ts` reads it. */
function compressed(text) {
	const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_MAX_QUALITY } = constants;
	const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT };
	const digit = (value) => String.fromCharCode(value + (value < BACKSLASH - FIRST ? FIRST : FIRST + 1));
	let written = "";
	let [held, bits] = [0, 0];
	for (const byte of [...brotliCompressSync(text, { params }), 0]) {
		held |= byte << bits;
		bits += 8;
		if (bits < 13) continue;
		written += digit((held & 8191) % 91) + digit(Math.floor((held & 8191) / 91));
		held >>= 13;
		bits -= 13;
	}
	return written + digit(held % 91) + digit(Math.floor(held / 91));
}
