import type { PreviewReply, SearchResult } from "../api/wire";
import type { OfferedNote } from "../api/words";
import { isNote, subpathIn } from "./shared/kinds";
import { say } from "../words/say";

/** A spot in a note. */
export interface Place {
	vault: string;
	path: string;
	title: string;
	/** The profile that the vault belongs to, where `indexed` does not say it. */
	profile?: string;
	/** The vault is on another member's computer, so that Obsidian here has no address for it. */
	isElsewhere?: true;
	/** For asking the daemon for the note; left out where only the file is known. */
	indexed?: { id: string; profile: string };
	modified?: string | null;
	/** Of file; left out for a note. */
	kind?: string;
	/** In a file that is no note: page, slide, sheet. */
	spot?: string;
	/** 1-based. */
	line?: number;
	headings?: readonly string[];
	/** Texts to mark; the first is flashed when the note opens. */
	matches?: readonly string[];
}

/** Where a note names another without a link to it. */
export interface Mention {
	/** 1-based. */
	line: number;
	/** As it is written there. */
	written: string;
}

/** Changes of notes, and what was shown of each note. */
export type Shown = Pick<PreviewReply, "changes" | "files">;

/** Changes that were written into notes. */
export interface Applied {
	/** Notes that are changed though not all could be, since they changed meanwhile; none: all is written. */
	stays: readonly string[];
	/** Paths of the notes that taking them back would write, also those that they had before they moved. */
	touched: () => readonly string[];
	/** Take them back. Says whether it could: not where a note has changed since, and then all stay as they are. */
	undo: () => Promise<boolean>;
}

export type OpenIn = "here" | "tab" | "split";

/**
 * What the panel asks of whatever it runs in.
 *
 * Optional members are capabilities: where one is left out, the panel shows neither its key nor its button.
 */
export interface Host {
	readonly isMac: boolean;
	/** Of the plugin; left out where the daemon serves the panel, which is of its own version then. */
	readonly version?: string;
	open(place: Place, where: OpenIn): void;
	/** The text that stands for a link to the place when copied or dragged. */
	linkTo(place: Place): string;
	insertLink?(place: Place): void;
	createNote?(title: string): void;
	/** Make a note with this text, under a name that no other has, and open it. */
	saveNote?(title: string, text: string): Promise<void>;
	/** Whether a place is in the vault that is open. */
	isHere?(place: Place): boolean;
	/** The first place where the note at `path` of the open vault names the other without a link; null for none. */
	mentionIn?(path: string, of: Place): Promise<Mention | null>;
	/** Make that mention a link. Says whether it could: not where it is another by now, or its line has changed, and then the user is told. */
	linkMention?(path: string, of: Place, mention: Mention): Promise<boolean>;
	/** Write changes into notes of the open vault as they were shown, all or none; null where a note is not what they were made from. */
	applyChanges?(shown: Shown): Promise<Applied | null>;
	/** Show a folder of the open vault among its files. Says whether it could: not where the vault has none at this path. */
	revealFolder?(path: string): boolean;
	hoverPreview?(event: MouseEvent, target: HTMLElement, place: Place): void;
	/** Show what can be done with the file of a place, where the host has a menu for it. Says whether it has. */
	menu?(event: MouseEvent, place: Place): boolean;
	/** Lead to where a vault is chosen that may be searched. */
	chooseVault?(): void;
	/** Ask the daemon to be let in. */
	connect?(): void;
	/** Ask the daemon for leave to decide about credentials and folders, too. */
	manage?(): void;
	/** Say something for a while. action: what can be done about it meanwhile. */
	notify(message: string, action?: { label: string; act: () => void }): void;
	copy(text: string): Promise<void>;
	readonly storage: Storage;
}

/** Draws Markdown into elements. What it has drawn lives until it is released. */
export interface MarkdownDrawer {
	draw(text: string, into: HTMLElement): Promise<void>;
	release(): void;
}

/** Small values that stay on this device. */
export interface Storage {
	read(key: string): unknown;
	write(key: string, value: unknown): void;
}

/** Copy a text, and say so: `copied` says what it was. */
export function copyText(host: Host, copied: "copied.link" | "copied.command", text: string): void {
	host.copy(text).then(
		() => host.notify(say(copied)),
		() => host.notify(say("copied.failed")),
	);
}

export function placeOf(result: SearchResult): Place {
	const { id, profile, vault, path, title, modified, line, headings, kind, place } = result;
	return {
		indexed: { id, profile },
		vault,
		...(result.open_url === "" ? { isElsewhere: true } : {}),
		path,
		title,
		modified,
		line,
		headings,
		...(isNote(kind) ? {} : { kind, spot: place }),
		matches: highlightedTexts(result),
	};
}

/** A note without an id is known by its file alone. */
export function placeOfNote({ id, profile, vault, path, title, modified, line, headings, kind }: OfferedNote): Place {
	return {
		profile,
		...(id === "" ? {} : { indexed: { id, profile } }),
		vault,
		path,
		title,
		modified,
		...(isNote(kind) ? {} : { kind }),
		...(line === undefined ? {} : { line }),
		...(headings ? { headings } : {}),
	};
}

/** The note of a place, wherever in it. */
export function wholeNote({ indexed, vault, isElsewhere, path, title, kind }: Place): Place {
	return {
		vault,
		...(isElsewhere ? { isElsewhere } : {}),
		path,
		title,
		...(kind === undefined ? {} : { kind }),
		...(indexed ? { indexed } : {}),
	};
}

/** The texts that the snippet highlights, each once. */
export function highlightedTexts({ snippet, highlights }: SearchResult): string[] {
	const points = Array.from(snippet);
	const texts = highlights.map(([start, end]) => points.slice(start, end).join(""));
	return [...new Set(texts)].filter((text) => text.trim() !== "");
}

/** Opens a file in whichever vault holds it, a PDF at its page; the scheme is the app's own. "" where none here does. */
export function obsidianUri({
	vault,
	isElsewhere,
	path,
	headings = [],
	kind,
	spot,
}: Pick<Place, "vault" | "isElsewhere" | "path" | "headings" | "kind" | "spot">): string {
	if (isElsewhere) return "";
	const heading = headings.at(-1);
	const below = isNote(kind) ? (heading ? `#${heading}` : "") : subpathIn(kind, spot);
	const file = path.replace(/\.md$/i, "") + below;
	return `obsidian://open?vault=${inLink(vault)}&file=${inLink(file)}`;
}

/** A Markdown link that opens a place; what it would read, alone, where nothing here can. */
export function markdownLink(place: Place, reads: string): string {
	const uri = obsidianUri(place);
	return uri === "" ? reads : `[${reads.replace(/[[\]]/g, "")}](${uri})`;
}

/** Parentheses would end a Markdown link. */
function inLink(text: string): string {
	return encodeURIComponent(text).replaceAll("(", "%28").replaceAll(")", "%29");
}
