import { Notice, Platform, normalizePath, type App, type HoverParent, type TFile } from "obsidian";
import { obsidianUri, type Host, type OpenIn, type Place, type Storage } from "../../panel/host";
import { lastMarkdownView, openNote } from "./openNote";

export const HOVER_SOURCE = "scrubjay";
const STORAGE_PREFIX = "scrubjay-";
const NOT_IN_FILE_NAMES = /[\\/:*?"<>|#^[\]]/g;

export interface ObsidianHostOptions {
	app: App;
	hoverParent: HoverParent;
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
		const file = this.fileOf(place);
		if (!file) return readElsewhere(place);
		openNote(app, file, place, where).catch(() => this.notify("The note could not be opened"));
	}

	linkTo(place: Place): string {
		const file = this.fileOf(place);
		const heading = place.headings?.at(-1);
		const isTitle = heading === undefined || heading === place.title;
		if (!file) return `[${place.title.replace(/[[\]]/g, "")}](${obsidianUri(place.vault, place.path, place.headings)})`;
		const source = this.options.app.workspace.getActiveFile()?.path ?? "";
		return this.options.app.fileManager.generateMarkdownLink(file, source, isTitle ? "" : `#${heading}`);
	}

	insertLink(place: Place): void {
		const view = lastMarkdownView(this.options.app);
		if (!view) return this.notify("Open a note to insert the link into");
		view.editor.replaceSelection(this.linkTo(place));
	}

	createNote(title: string): void {
		this.makeNote(title).catch(() => this.notify("The note could not be created"));
	}

	hoverPreview(event: MouseEvent, target: HTMLElement, place: Place): void {
		const { app, hoverParent, previews } = this.options;
		if (!previews() || !this.fileOf(place)) return;
		const heading = place.headings?.at(-1);
		const linktext = heading === undefined || heading === place.title ? place.path : `${place.path}#${heading}`;
		app.workspace.trigger("hover-link", { event, source: HOVER_SOURCE, hoverParent, targetEl: target, linktext, sourcePath: "" });
	}

	notify(message: string): void {
		new Notice(message);
	}

	copy(text: string): Promise<void> {
		return window.navigator.clipboard.writeText(text);
	}

	/** The file, if the place is in the vault that is open here. */
	private fileOf({ vault, path }: Place): TFile | null {
		const { app } = this.options;
		return vault === app.vault.getName() ? app.vault.getFileByPath(path) : null;
	}

	private async makeNote(title: string): Promise<void> {
		const { app } = this.options;
		const name = title.replace(NOT_IN_FILE_NAMES, " ").replace(/\s+/g, " ").trim() || "Untitled";
		const source = app.workspace.getActiveFile()?.path ?? "";
		const folder = app.fileManager.getNewFileParent(source).path;
		const path = normalizePath(`${folder}/${name}.md`);
		const file = app.vault.getFileByPath(path) ?? (await app.vault.create(path, ""));
		await app.workspace.getLeaf(false).openFile(file);
	}
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
