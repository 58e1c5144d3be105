import { Notice, Platform, normalizePath, stripHeadingForLink, type App, type HoverParent, type TFile } from "obsidian";
import { obsidianUri, type Host, type OpenIn, type Place, type Storage } from "../../panel/host";
import { isFilter, partsOf } from "../../panel/search/queryParts";
import { lastMarkdownView, openNote } from "./openNote";

export const HOVER_SOURCE = "scrubjay";
const STORAGE_PREFIX = "scrubjay-";
const NOT_IN_FILE_NAMES = /[\\/:*?"<>|#^[\]]/g;
const LONGEST_NAME = 120;

export interface ObsidianHostOptions {
	app: App;
	hoverParent: HoverParent;
	/** Is this vault of a profile the one that is open here? */
	isOwn: (vault: string, profile: string | undefined) => boolean;
	/** Ask the daemon to let this vault in. */
	connect: () => void;
	/** Show a note of another vault. */
	readElsewhere: (place: Place) => void;
	/** Does the user want previews? */
	previews: () => boolean;
}

/** Obsidian as the panel's host. */
export class ObsidianHost implements Host {
	readonly isMac = Platform.isMacOS;
	readonly storage: Storage;

	constructor(private readonly options: ObsidianHostOptions) {
		this.storage = new DeviceStorage(options.app);
	}

	open(place: Place, where: OpenIn): void {
		const { app, readElsewhere } = this.options;
		if (!this.isHere(place)) return readElsewhere(place);
		const file = this.fileOf(place);
		if (!file) return this.notify("This note was moved or deleted. It will leave the index shortly.");
		openNote(app, file, place, where).catch(() => this.notify("The note could not be opened"));
	}

	linkTo(place: Place): string {
		const file = this.fileOf(place);
		if (!file) return `[${place.title.replace(/[[\]]/g, "")}](${obsidianUri(place.vault, place.path, place.headings)})`;
		const source = this.options.app.workspace.getActiveFile()?.path ?? "";
		return this.options.app.fileManager.generateMarkdownLink(file, source, subpathOf(place));
	}

	insertLink(place: Place): void {
		const view = lastMarkdownView(this.options.app);
		if (view?.getMode() !== "source") return this.notify("Open a note for editing, to insert the link into");
		view.editor.replaceSelection(this.linkTo(place));
	}

	createNote(title: string): void {
		this.makeNote(title).catch(() => this.notify("The note could not be created"));
	}

	hoverPreview(event: MouseEvent, target: HTMLElement | SVGElement, place: Place): void {
		const { app, hoverParent, previews } = this.options;
		if (!previews() || !this.fileOf(place)) return;
		const linktext = place.path + subpathOf(place);
		app.workspace.trigger("hover-link", { event, source: HOVER_SOURCE, hoverParent, targetEl: target, linktext, sourcePath: "" });
	}

	connect(): void {
		this.options.connect();
	}

	notify(message: string): void {
		new Notice(message);
	}

	copy(text: string): Promise<void> {
		return activeWindow.navigator.clipboard.writeText(text);
	}

	/** The file, if the place is in the vault that is open here. */
	private fileOf(place: Place): TFile | null {
		return this.isHere(place) ? this.options.app.vault.getFileByPath(place.path) : null;
	}

	private isHere({ vault, profile, indexed }: Place): boolean {
		return this.options.isOwn(vault, indexed?.profile ?? profile);
	}

	private async makeNote(title: string): Promise<void> {
		const { app } = this.options;
		const name = nameFor(title);
		const source = app.workspace.getActiveFile()?.path ?? "";
		const folder = app.fileManager.getNewFileParent(source).path;
		const path = normalizePath(`${folder}/${name}.md`);
		const file = app.vault.getFileByPath(path) ?? (await app.vault.create(path, ""));
		await app.workspace.getLeaf(false).openFile(file);
	}
}

/** A file's name for what was searched for: the words of it, without filters and without what names can't have. */
export function nameFor(query: string): string {
	const words = partsOf(query).filter((part) => !isFilter(part) && !/^-./.test(part));
	const name = words.join(" ").replace(NOT_IN_FILE_NAMES, " ").replace(/\s+/g, " ");
	return Array.from(name.replace(/^[. ]+/, "")).slice(0, LONGEST_NAME).join("").replace(/[. ]+$/, "") || "Untitled";
}

/** The way down to a heading, as links of Obsidian write it; "" for the note's beginning. */
function subpathOf({ headings = [], title }: Place): string {
	const below = headings.filter((heading) => heading !== title).map((heading) => stripHeadingForLink(heading));
	return below.filter((heading) => heading !== "").map((heading) => `#${heading}`).join("");
}

/** Values of this device and vault, outside the vault's folder. */
class DeviceStorage implements Storage {
	constructor(private readonly app: App) {}

	read(key: string): unknown {
		return this.app.loadLocalStorage(STORAGE_PREFIX + key);
	}

	write(key: string, value: unknown): void {
		this.app.saveLocalStorage(STORAGE_PREFIX + key, value);
	}
}
