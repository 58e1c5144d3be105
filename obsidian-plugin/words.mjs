/** The panel's sentences in the two forms that are shipped: packed into the plugin's one file, and a file per language for the page. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** The languages, each beside those that it has words in common with: so they compress best. */
const ALIKE = ["en", "es", "fr", "de", "zh", "ja"];

/** The first of the 85 characters; a backslash is none of them. */
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

/** Brotli, written with 85 of the characters that a string literal need not escape: a twentieth less than Base64. `bytesOf` of `src/words/packed.ts` reads it. */
function compressed(text) {
	const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_MAX_QUALITY } = constants;
	const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT };
	const packed = brotliCompressSync(text, { params });
	const padded = Buffer.concat([packed, Buffer.alloc((4 - (packed.length % 4)) % 4)]);
	let written = "";
	for (let at = 0; at < padded.length; at += 4) {
		const word = padded.readUInt32BE(at);
		for (let power = 85 ** 4; power >= 1; power /= 85) {
			const digit = Math.floor(word / power) % 85;
			written += String.fromCharCode(digit + (digit < BACKSLASH - FIRST ? FIRST : FIRST + 1));
		}
	}
	return written;
}
