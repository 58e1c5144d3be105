import {
	Component,
	MarkdownRenderer,
	Menu,
	Notice,
	Platform,
	normalizePath,
	parseFrontMatterAliases,
	stripHeadingForLink,
	type App,
	type HoverParent,
	type TFolder,
	type View,
	type TFile,
} from "obsidian";
import type { Client } from "../../api/client";
import {
	markdownLink,
	type Applied,
	type Host,
	type MarkdownDrawer,
	type Mention,
	type OpenIn,
	type Place,
	type Shown,
	type Storage,
} from "../../panel/host";
import { PanelDrawer } from "../../panel/notes/panelDrawer";
import { isFilter, partsOf } from "../../panel/search/box/queryParts";
import { applyChanges } from "./applyChanges";
import { button, type NoticeAction } from "../../panel/shared/notice";
import { findMention, linkedAt, type FoundMention } from "./mentions";
import { isNote, subpathIn } from "../../panel/shared/kinds";
import { say } from "../../words/say";
import { lastMarkdownView, openNote } from "./openNote";
import { proseOf } from "./prose";
import { drawsFromVaultAlone } from "./ownMarkdown";

export const HOVER_SOURCE = "scrubjay";
const STORAGE_PREFIX = "scrubjay-";
const NOT_IN_FILE_NAMES = /[\\/:*?"<>|#^[\]]/g;
const LONGEST_NAME = 120;
/** Longer notes are not looked through for names: the window would stand still meanwhile. */
const MOST_LETTERS = 200_000;
/** How long a notice with something to be done about it stays. */
const ACTION_MS = 10_000;

export interface ObsidianHostOptions {
	app: App;
	client: () => Client;
	/** Of the plugin. */
	version: string;
	hoverParent: HoverParent;
	/** Is this vault of a profile the one that is open here? */
	isOwn: (vault: string, profile: string | undefined) => boolean;
	/** Does the daemon say which vault is open here? Else its name decides, which another vault may have, too. */
	isOwnKnown: () => boolean;
	/** Ask the daemon to let this vault in. */
	connect: () => void;
	/** Ask it for leave to manage this vault's profile. */
	manage: () => void;
	/** Show a note of another vault. */
	readElsewhere: (place: Place) => void;
	/** Does the user want previews? */
	previews: () => boolean;
}

/** Obsidian as the panel's host. */
export class ObsidianHost implements Host {
	readonly isMac = Platform.isMacOS;
	readonly storage: Storage;
	readonly version: string;
	/** The running text of the note that was looked through last: it is asked for ten names one after the other. */
	private prose: { of: string; text: string } | null = null;

	constructor(private readonly options: ObsidianHostOptions) {
		this.version = options.version;
		this.storage = new DeviceStorage(options.app);
	}

	open(place: Place, where: OpenIn): void {
		const { app, readElsewhere } = this.options;
		if (!this.isHere(place)) return readElsewhere(place);
		const file = this.fileOf(place);
		if (!file) return this.notify(say("obsidian.moved"));
		openNote(app, file, place, where).catch(() => this.notify(say("obsidian.notOpened")));
	}

	linkTo(place: Place): string {
		return this.linkAs(place, undefined);
	}

	/** alias: what the link reads; left out, what it leads to. */
	private linkAs(place: Place, alias: string | undefined): string {
		const file = this.fileOf(place);
		if (!file) return markdownLink(place, alias ?? place.title);
		const source = this.options.app.workspace.getActiveFile()?.path ?? "";
		return this.options.app.fileManager.generateMarkdownLink(file, source, subpathOf(place), alias);
	}

	insertLink(place: Place): void {
		const view = lastMarkdownView(this.options.app);
		if (view?.getMode() !== "source") return this.notify(say("obsidian.noEditor"));
		const selected = view.editor.getSelection();
		const alias = selected.trim() === "" || selected.includes("\n") ? undefined : selected.trim();
		view.editor.replaceSelection(this.linkAs(place, alias));
	}

	async mentionIn(path: string, of: Place): Promise<Mention | null> {
		return (await this.findMention(path, of))?.found ?? null;
	}

	async linkMention(path: string, of: Place, offered: Mention): Promise<boolean> {
		const { app } = this.options;
		const mention = await this.findMention(path, of);
		if (mention?.found.line !== offered.line || mention.found.written !== offered.written) return this.refuse();
		const { note, target, seen, found } = mention;
		const link = app.fileManager.generateMarkdownLink(
			target,
			path,
			"",
			found.written === target.basename ? undefined : found.written,
		);
		let isLinked = false;
		await app.vault.process(note, (text) => {
			const linked = linkedAt(text, seen, found, link);
			isLinked = linked !== null;
			return linked ?? text;
		});
		if (!isLinked) return this.refuse();
		this.notify(say("obsidian.linked", { line: found.line }));
		return true;
	}

	applyChanges(shown: Shown): Promise<Applied | null> {
		return applyChanges(this.options.app, shown);
	}

	createNote(title: string): void {
		this.makeNote(title, null).catch(() => this.notify(say("obsidian.notCreated")));
	}

	saveNote(title: string, text: string): Promise<void> {
		return this.makeNote(title, text);
	}

	/**
	 * Obsidian itself draws what loads nothing from the web in notes of the open vault. Notes of others, and of a vault that is known by its name alone, never reach it, nor the
	 * plugins that draw with it: of these only the text is shown.
	 */
	markdown(place: Place): MarkdownDrawer {
		const { app, client, isOwnKnown } = this.options;
		const file = isOwnKnown() ? this.fileOf(place) : null;
		const text = new PanelDrawer(client, place.indexed?.profile ?? place.profile ?? "");
		if (!file) return text;
		const owner = new Component();
		owner.load();
		return {
			draw: (passage, into) =>
				drawsFromVaultAlone(passage)
					? MarkdownRenderer.render(app, passage, into, file.path, owner)
					: text.draw(passage, into),
			release: () => {
				owner.unload();
				text.release();
			},
		};
	}

	revealFolder(path: string): boolean {
		const { vault, workspace } = this.options.app;
		const folder = vault.getFolderByPath(path);
		const [files] = workspace.getLeavesOfType("file-explorer");
		if (!folder || !files) return false;
		const shown = workspace.revealLeaf(files).then(() => {
			const { view } = files;
			if (canReveal(view)) view.revealInFolder(folder);
		});
		shown.catch(() => this.notify(say("obsidian.notOpened")));
		return true;
	}

	hoverPreview(event: MouseEvent, target: HTMLElement, place: Place): void {
		const { app, hoverParent, previews } = this.options;
		if (!previews() || !this.fileOf(place)) return;
		const linktext = place.path + subpathOf(place);
		app.workspace.trigger("hover-link", {
			event,
			source: HOVER_SOURCE,
			hoverParent,
			targetEl: target,
			linktext,
			sourcePath: "",
		});
	}

	/** The app's own menu of the file, to which plugins add; notes of other vaults have none here. */
	menu(event: MouseEvent, place: Place): boolean {
		const file = this.fileOf(place);
		if (!file) return false;
		const menu = new Menu();
		this.options.app.workspace.trigger("file-menu", menu, file, HOVER_SOURCE);
		menu.showAtMouseEvent(event);
		return true;
	}

	connect(): void {
		this.options.connect();
	}

	manage(): void {
		this.options.manage();
	}

	notify(message: string, action?: NoticeAction): void {
		const shown = createFragment((into) => into.append(message));
		const notice = new Notice(shown, action ? ACTION_MS : undefined);
		if (!action) return;
		const act = (): void => {
			notice.hide();
			action.act();
		};
		notice.messageEl.append(" ", button({ label: action.label, act }));
	}

	copy(text: string): Promise<void> {
		return activeWindow.navigator.clipboard.writeText(text);
	}

	private refuse(): false {
		this.notify(say("obsidian.notLinked"));
		return false;
	}

	private async findMention(
		path: string,
		of: Place,
	): Promise<{ note: TFile; target: TFile; seen: string; found: FoundMention } | null> {
		const { app } = this.options;
		const note = app.vault.getFileByPath(path);
		const target = this.fileOf(of);
		if (note?.extension !== "md" || !target) return null;
		const seen = await app.vault.cachedRead(note);
		if (seen.length > MOST_LETTERS) return null;
		const aliases = parseFrontMatterAliases(app.metadataCache.getFileCache(target)?.frontmatter ?? null) ?? [];
		if (this.prose?.of !== seen) this.prose = { of: seen, text: proseOf(seen) };
		const found = findMention(seen, this.prose.text, [target.basename, ...aliases]);
		return found && { note, target, seen, found };
	}

	/** The file, if the place is in the vault that is open here. */
	private fileOf(place: Place): TFile | null {
		return this.isHere(place) ? this.options.app.vault.getFileByPath(place.path) : null;
	}

	isHere({ vault, profile, indexed }: Place): boolean {
		return this.options.isOwn(vault, indexed?.profile ?? profile);
	}

	/** text: of a note that is new in any case; null: one of that name is as good. */
	private async makeNote(title: string, text: string | null): Promise<void> {
		const { app } = this.options;
		const name = nameFor(title);
		const source = app.workspace.getActiveFile()?.path ?? "";
		const folder = app.fileManager.getNewFileParent(source).path;
		let path = normalizePath(`${folder}/${name}.md`);
		for (let number = 2; text !== null && app.vault.getAbstractFileByPath(path) !== null; number += 1)
			path = normalizePath(`${folder}/${name} ${number}.md`);
		const file = app.vault.getFileByPath(path) ?? (await app.vault.create(path, text ?? ""));
		await app.workspace.getLeaf(false).openFile(file);
	}
}

/** As Obsidian's file explorer does, which its typings leave out. */
function canReveal(view: View): view is View & { revealInFolder: (folder: TFolder) => void } {
	return "revealInFolder" in view && typeof view.revealInFolder === "function";
}

/** A file's name for what was searched for: the words of it, without filters and without what names can't have. */
function nameFor(query: string): string {
	const words = partsOf(query).filter((part) => !isFilter(part) && !/^-./.test(part));
	const name = words.join(" ").replace(NOT_IN_FILE_NAMES, " ").replace(/\s+/g, " ");
	return (
		Array.from(name.replace(/^[. ]+/, ""))
			.slice(0, LONGEST_NAME)
			.join("")
			.replace(/[. ]+$/, "") || say("obsidian.untitled")
	);
}

/** The way down to a heading, or to a page of a PDF, as links of Obsidian write it; "" for the note's beginning. */
function subpathOf({ headings = [], title, kind, spot }: Place): string {
	if (!isNote(kind)) return subpathIn(kind, spot);
	const below = headings.filter((heading) => heading !== title).map((heading) => stripHeadingForLink(heading));
	return below
		.filter((heading) => heading !== "")
		.map((heading) => `#${heading}`)
		.join("");
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
