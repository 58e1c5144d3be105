import type { SearchResult } from "../../api/wire";
import type { OfferedNote } from "../../api/words";
import { placeOf, placeOfNote, type Place } from "../../panel/host";
import type { PanelPlugin } from "./panelPlugin";

/** A note that was found, as other plugins get it. */
export interface FoundNote {
	title: string;
	/** Of the vault that holds it. */
	path: string;
	vault: string;
	profile: string;
	/** Is it in the vault that is open here? */
	isHere: boolean;
	/** 1-based; of the best passage of a search. */
	line?: number;
	/** The best passage of a search, or how the nearest passage of a related note begins; credentials taken out. */
	excerpt: string;
	/** Of a search: how likely it is what was meant. */
	relevance?: SearchResult["relevance"];
	/** A link as Obsidian writes it, or one that opens the other vault. */
	link: string;
}

export interface Choice {
	/** Most notes, 1 to 50; 20 without it. */
	limit?: number;
}

const [MOST, USUAL] = [50, 20];

/**
 * What other plugins and scripts may ask: `app.plugins.plugins.scrubjay.api`. It finds what this vault's token may see, and remembers
 * nothing in the history. All requests reject with an `Error` whose message may be shown.
 */
export class PluginApi {
	/** Higher where something that was there is gone or means something else. What is added leaves it. */
	readonly version = 1;

	constructor(private readonly plugin: PanelPlugin) {}

	/** The notes that a query in the search's own language finds, best first. */
	async search(query: string, choice: Choice = {}): Promise<FoundNote[]> {
		const ask = { query, limit: most(choice), group: "note", remember: false } as const;
		const { results } = await this.plugin.link.client.ask("POST /v1/search", ask);
		return results.map((result) => ({
			...this.found(result, placeOf(result)),
			line: result.line,
			excerpt: result.snippet,
			relevance: result.relevance,
		}));
	}

	/** The notes related to a note of the open vault, best first. */
	async related(path: string, choice: Choice = {}): Promise<FoundNote[]> {
		const { client, vaultName } = this.plugin.link;
		const { notes } = await client.ask("GET /v1/related", { vault: vaultName, path, limit: most(choice) });
		return notes.map((note) => this.found(note, placeOfNote(note)));
	}

	private found(note: OfferedNote, place: Place): FoundNote {
		const { title, path, vault, profile, excerpt = "" } = note;
		const isHere = this.plugin.link.isOwn(vault, profile);
		const link = this.plugin.hostFor({ hoverPopover: null }).linkTo(place);
		return { title, path, vault, profile, isHere, excerpt, link };
	}
}

function most({ limit = USUAL }: Choice): number {
	return Math.min(MOST, Math.max(1, Math.trunc(limit) || USUAL));
}
