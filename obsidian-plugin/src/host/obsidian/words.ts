import { getLanguage } from "obsidian";
import { brotliDecompressSync } from "zlib";
import { languageFor } from "../../words/languages";
import { unpacked } from "../../words/packed";
import { speak } from "../../words/say";

/** All languages, as the build packs them into the plugin's one file: `PackedWords` as JSON, compressed, in Base64. */
declare const SCRUBJAY_WORDS: string;

/** Speak the language that Obsidian speaks; English, where there are no words in it. */
export function speakAsObsidian(): void {
	const spoken = languageFor([getLanguage()]);
	speak(spoken, unpacked(brotliDecompressSync(Buffer.from(SCRUBJAY_WORDS, "base64")).toString("utf8"), spoken));
}
