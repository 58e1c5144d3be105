/** The panel's sentences in the two forms that are shipped: packed into the plugin's one file, and a file per language for the page. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

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
	const sentences = Object.entries(tables).map(([language, table]) => [language, keys.map((key) => table[key])]);
	return JSON.stringify(compressed({ keys, sentences: Object.fromEntries(sentences) }));
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
	return inSigns(brotliCompressSync(JSON.stringify(value), { params }));
}

/** Five signs for each four bytes, which is a sixteenth less than Base64; `bytesIn` of `src/host/obsidian/words.ts` reads them. The last bytes may be zeros that are none of it. */
function inSigns(bytes) {
	const whole = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
	let signs = "";
	for (let at = 0; at < whole.length; at += 4) {
		const number = whole.readUInt32BE(at);
		for (let power = 85 ** 4; power >= 1; power /= 85)
			signs += String.fromCharCode(35 + (Math.floor(number / power) % 85));
	}
	return signs.replaceAll("\\", "x"); // it would take two signs in a string
}
