import type { SearchResult } from "../api/wire";
import type { OfferedNote } from "../api/words";

/** A spot in a note. */
export interface Place {
	vault: string;
	path: string;
	title: string;
	/** The profile that the vault belongs to, where `indexed` does not say it. */
	profile?: string;
	/** For asking the daemon for the note; left out where only the file is known. */
	indexed?: { id: string; profile: string };
	modified?: string | null;
	/** 1-based. */
	line?: number;
	headings?: readonly string[];
	/** Texts to mark; the first is flashed when the note opens. */
	matches?: readonly string[];
}

export type OpenIn = "here" | "tab" | "split";

/**
 * What the panel asks of whatever it runs in.
 *
 * Optional members are capabilities: where one is left out, the panel shows neither its key nor its button.
 */
export interface Host {
	readonly isMac: boolean;
	open(place: Place, where: OpenIn): void;
	/** The text that stands for a link to the place when copied or dragged. */
	linkTo(place: Place): string;
	insertLink?(place: Place): void;
	createNote?(title: string): void;
	hoverPreview?(event: MouseEvent, target: HTMLElement | SVGElement, place: Place): void;
	/** The selection moved here. The page shows the note in its reader. */
	selected?(place: Place | null): void;
	/** Ask the daemon to be let in. */
	connect?(): void;
	notify(message: string): void;
	copy(text: string): Promise<void>;
	readonly storage: Storage;
}

/** Small values that stay on this device. */
export interface Storage {
	read(key: string): unknown;
	write(key: string, value: unknown): void;
}

/** Copy a text, and say that the link (or whatever it is) was copied, or could not be. */
export function copyText(host: Host, what: string, text: string): void {
	host.copy(text).then(
		() => host.notify(`The ${what} was copied`),
		() => host.notify(`The ${what} could not be copied`),
	);
}

export function placeOf(result: SearchResult): Place {
	const { id, profile, vault, path, title, modified, line, headings } = result;
	return { indexed: { id, profile }, vault, path, title, modified, line, headings, matches: highlightedTexts(result) };
}

export function placeOfNote({ id, profile, vault, path, title, modified, line, headings }: OfferedNote): Place {
	return { indexed: { id, profile }, vault, path, title, modified, ...(line === undefined ? {} : { line }), ...(headings ? { headings } : {}) };
}

/** The note of a place, wherever in it. */
export function wholeNote({ indexed, vault, path, title }: Place): Place {
	return { vault, path, title, ...(indexed ? { indexed } : {}) };
}

/** The texts that the snippet highlights, each once. */
export function highlightedTexts({ snippet, highlights }: SearchResult): string[] {
	const points = Array.from(snippet);
	const texts = highlights.map(([start, end]) => points.slice(start, end).join(""));
	return [...new Set(texts)].filter((text) => text.trim() !== "");
}

/** Opens a note in whichever vault holds it; the scheme is the app's own. */
export function obsidianUri(vault: string, path: string, headings: readonly string[] = []): string {
	const heading = headings.at(-1);
	const file = path.replace(/\.md$/i, "") + (heading ? `#${heading}` : "");
	return `obsidian://open?vault=${inLink(vault)}&file=${inLink(file)}`;
}

/** Parentheses would end a Markdown link. */
function inLink(text: string): string {
	return encodeURIComponent(text).replaceAll("(", "%28").replaceAll(")", "%29");
}
