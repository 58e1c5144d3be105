import type { Language } from "../../words/languages";
import { languageFor } from "../../words/languages";
import { speak, type Table } from "../../words/say";

/** Speak the first of the reader's languages that there are words for. Rejects where the daemon does not serve them. */
export async function speakAsReader(document: Document, wanted: readonly string[]): Promise<void> {
	const language = languageFor(wanted);
	speak(language, await load(language));
	document.documentElement.lang = language;
}

async function load(language: Language): Promise<Table> {
	const reply = await window.fetch(`/assets/words-${language}.json`);
	return (await reply.json()) as Table;
}
