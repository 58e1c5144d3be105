import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../src/words/keys";
import { bytesOf, unpacked } from "../../src/words/packed";
import { TABLES } from "../helpers/tables";

/** Plain JavaScript, of which TypeScript knows nothing. */
const BUILD: string = "../../words.mjs";
const { packed } = (await import(BUILD)) as {
	packed: (tables: typeof TABLES, isWanted: (key: string) => boolean) => string;
};

it.each(LANGUAGES)("the plugin's one file gives back each sentence of %s", (language) => {
	const carried = JSON.parse(packed(TABLES, (key) => key !== "do.retry")) as string;
	const { "do.retry": _, ...others } = TABLES[language];
	expect(unpacked(brotliDecompressSync(bytesOf(carried)).toString("utf8"), language)).toEqual(others);
});
