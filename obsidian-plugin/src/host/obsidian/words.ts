import { getLanguage, type App } from "obsidian";
import { languageFor, type Language } from "../../words/languages";
import { speak, type Counted, type Table } from "../../words/say";

/** Sentences by what stands before their key's first point, and by the rest of it. */
type Areas = Readonly<Record<string, Readonly<Record<string, string | Counted>>>>;

/** English, which the build puts into the bundle. */
declare const SCRUBJAY_ENGLISH: Areas;
/** How keys begin of what the daemon says in English itself: in other languages alone there are words for it here. */
declare const SCRUBJAY_TOLD: readonly string[];

const KEPT_KEY = "scrubjay-words";

/**
 * The words that the plugin says in the language of Obsidian: English until the daemon has told them, which are then kept on
 * this device. What a newer plugin says and an older daemon does not know is English, too.
 */
export class ObsidianWords {
	private readonly english = tableOf(SCRUBJAY_ENGLISH);
	private readonly language = languageFor([getLanguage()]);

	constructor(private readonly app: App) {}

	/** Speak as well as is known now. */
	speak(): void {
		const kept = this.kept;
		speak(kept ? this.language : "en", { ...this.english, ...kept });
	}

	/**
	 * Ask for the language's words, and speak them; `ask` gives a file of the daemon's by its name. Says whether the language was
	 * none that could be spoken before. Never rejects: without an answer nothing changes.
	 */
	async learn(ask: (name: string) => Promise<unknown>): Promise<boolean> {
		if (this.language === "en") return false;
		const isNew = this.kept === null;
		const told = this.understood(await ask(`words-${this.language}.json`).catch(() => null));
		if (told === null) return false;
		this.app.saveLocalStorage(KEPT_KEY, { language: this.language, sentences: told });
		this.speak();
		return isNew;
	}

	private get kept(): Partial<Table> | null {
		const kept = this.app.loadLocalStorage(KEPT_KEY) as { language?: Language; sentences?: unknown } | null;
		return kept?.language === this.language ? this.understood(kept.sentences) : null;
	}

	/** Of a table from elsewhere what is said here, and is a sentence; null for none. */
	private understood(table: unknown): Partial<Table> | null {
		if (typeof table !== "object" || table === null) return null;
		const known = Object.entries(table).filter(
			([key, entry]) =>
				isSentence(entry) && (key in this.english || SCRUBJAY_TOLD.some((begin) => key.startsWith(begin))),
		);
		return known.length > 0 ? Object.fromEntries(known) : null;
	}
}

function isSentence(entry: unknown): entry is string | Counted {
	return typeof entry === "string" || typeof (entry as Partial<Counted> | null)?.other === "string";
}

function tableOf(areas: Areas): Table {
	const all = Object.entries(areas).map(([area, sentences]) =>
		Object.entries(sentences).map(([rest, sentence]) => [`${area}.${rest}`, sentence]),
	);
	return Object.fromEntries(all.flat()) as Table;
}
