import { brotliDecompressSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { LANGUAGES } from "../../src/words/keys";
import { bytesOf, unpacked } from "../../src/words/packed";
import { TABLES } from "../helpers/tables";

interface Build {
	packed: (tables: typeof TABLES, isWanted: (key: string) => boolean) => string;
}
/** Plain JavaScript, of which TypeScript knows nothing. */
const { packed } = await vi.importActual<Build>("../../words.mjs");

it.each(LANGUAGES)("the plugin's one file gives back each sentence of %s", (language) => {
	const carried = JSON.parse(packed(TABLES, (key) => key !== "do.retry")) as string;
	const { "do.retry": _, ...others } = TABLES[language];
	expect(unpacked(brotliDecompressSync(bytesOf(carried)).toString("utf8"), language)).toEqual(others);
});
