import { getLanguage } from "obsidian";
import { brotliDecompressSync } from "zlib";
import { languageFor } from "../../words/languages";
import { bytesOf, unpacked } from "../../words/packed";
import { speak } from "../../words/say";

/** All languages, as the build packs them into the plugin's one file: what `unpacked` reads, compressed, as `bytesOf` reads it. */
declare const SCRUBJAY_WORDS: string;

/** Speak the language that Obsidian speaks; English, where there are no words in it. */
export function speakAsObsidian(): void {
	const spoken = languageFor([getLanguage()]);
	speak(spoken, unpacked(brotliDecompressSync(bytesOf(SCRUBJAY_WORDS)).toString("utf8"), spoken));
}
