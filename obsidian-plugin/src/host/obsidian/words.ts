import { getLanguage } from "obsidian";
import { brotliDecompressSync } from "zlib";
import { languageFor } from "../../words/languages";
import { unpacked } from "../../words/packed";
import { speak } from "../../words/say";

/** All languages, as the build packs them into the plugin's one file: `PackedWords` as JSON, compressed, in signs as `words.mjs` writes them. */
declare const SCRUBJAY_WORDS: string;

/** Speak the language that Obsidian speaks; English, where there are no words in it. */
export function speakAsObsidian(): void {
	const spoken = languageFor([getLanguage()]);
	speak(spoken, unpacked(brotliDecompressSync(bytesIn(SCRUBJAY_WORDS)).toString("utf8"), spoken));
}

function bytesIn(signs: string): Buffer {
	const bytes = Buffer.alloc((signs.length / 5) * 4);
	for (let at = 0; at < bytes.length; at += 4) {
		let number = 0;
		for (let sign = (at / 4) * 5; sign < (at / 4) * 5 + 5; sign++) {
			const code = signs.charCodeAt(sign);
			number = number * 85 + (code === 120 ? 92 : code) - 35;
		}
		bytes.writeUInt32BE(number, at);
	}
	return bytes;
}
