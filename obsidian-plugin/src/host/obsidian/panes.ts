import { debounce, type CachedMetadata, type Editor } from "obsidian";
import { CredentialsView } from "../../panel/credentials/credentialsView";
import { HiddenNotes } from "../../panel/history/hiddenNotes";
import { RelatedView, type ActiveNote } from "../../panel/notes/relatedView";
import { ReviewView } from "../../panel/review/reviewView";
import { readSearchAddress } from "../../panel/search/scopeBar";
import { SearchView } from "../../panel/search/searchView";
import { StatusView } from "../../panel/status/statusView";
import { h } from "../../panel/shared/dom";
import { say } from "../../words/say";
import { lastFile, lastMarkdownView } from "./openNote";
import type { PanelPlugin } from "./panelPlugin";
import {
	CREDENTIALS_VIEW,
	JAY_ICON,
	RELATED_VIEW,
	REVIEW_VIEW,
	SEARCH_VIEW,
	STATUS_VIEW,
	type PaneContent,
	type PaneKind,
	type PanelPane,
} from "./views";

const CURSOR_SETTLE_MS = 600;
/** The daemon has read a note that was written within about this time. */
const INDEXED_MS = 2_500;
const WRITING_PAUSE_MS = 500;
/** Of a paragraph, so much says what it is about. */
const MOST_LINES = 30;

/** The panes that the plugin adds, and what fills each. */
export function paneKinds(plugin: PanelPlugin): PaneKind[] {
	return [
		{
			type: SEARCH_VIEW,
			title: () => say("pane.search"),
			icon: JAY_ICON,
			make: (view) => searchPane(plugin, view),
		},
		{
			type: RELATED_VIEW,
			title: () => say("pane.related"),
			icon: "waypoints",
			make: (view) => relatedPane(plugin, view),
		},
		{
			type: CREDENTIALS_VIEW,
			title: () => say("pane.credentials"),
			icon: "shield-check",
			make: (view) => credentialsPane(plugin, view),
		},
		{
			type: REVIEW_VIEW,
			title: () => say("pane.review"),
			icon: "list-checks",
			make: (view) => reviewPane(plugin, view),
		},
		{
			type: STATUS_VIEW,
			title: () => say("pane.status"),
			icon: "activity",
			make: (view) => statusPane(plugin, view),
		},
	];
}

/** The note or file in the view that was used last, and in an editor the line at which the section under the cursor begins. */
export function activeNote(plugin: PanelPlugin): ActiveNote | null {
	const file = lastFile(plugin.app);
	if (!file) return null;
	const about = { vault: plugin.link.vaultName, path: file.path, title: file.basename };
	const view = lastMarkdownView(plugin.app);
	if (view?.file !== file) return about;
	return {
		...about,
		line: sectionStart(plugin.app.metadataCache.getFileCache(file), view.editor.getCursor().line) + 1,
	};
}

/** The lines around the cursor up to blank ones. */
function paragraphAt(editor: Editor): string {
	const { line } = editor.getCursor();
	const isText = (at: number): boolean => at >= 0 && at < editor.lineCount() && editor.getLine(at).trim() !== "";
	let [first, last] = [line, line];
	while (isText(first - 1) && line - first < MOST_LINES) first -= 1;
	while (isText(last + 1) && last - line < MOST_LINES) last += 1;
	return Array.from({ length: last - first + 1 }, (_, at) => editor.getLine(first + at)).join(" ");
}

/** The line of the heading that stands above a line, both from 0 on; the line itself where headings are not known. */
function sectionStart(cache: CachedMetadata | null, line: number): number {
	if (cache === null) return line;
	const above = (cache.headings ?? []).map(({ position }) => position.start.line).filter((start) => start <= line);
	return above.at(-1) ?? 0;
}

function searchPane(plugin: PanelPlugin, view: PanelPane): PaneContent {
	const search = new SearchView({
		...plugin.searchOptions(view),
		inPane: true,
		onAddress: () => plugin.app.workspace.requestSaveLayout(),
		onLeave: () => undefined,
	});
	const stop = plugin.link.listenProfiles((profiles) => search.setProfiles(profiles));
	const stopConnection = search.follow(plugin.link.connection);
	const dispose = (): void => {
		stop();
		stopConnection();
		search.dispose();
	};
	return {
		element: search.element,
		focus: () => search.focus(),
		dispose,
		pressed: (event) => search.keys.shortcut(event),
		state: {
			get: () => ({ ...search.address }),
			set: (saved) => search.go(readSearchAddress(saved, search.address), false),
		},
	};
}

function relatedPane(plugin: PanelPlugin, view: PanelPane): PaneContent {
	const related = new RelatedView({
		client: () => plugin.link.client,
		host: plugin.hostFor(view),
		active: () => activeNote(plugin),
		context: () => ({
			now: new Date(),
			colours: new Map(plugin.link.profiles.map(({ name, colour }) => [name, colour])),
			showProfile: plugin.link.profiles.length > 1,
		}),
	});
	const { connection } = plugin.link;
	const settle = debounce(() => void related.update(), CURSOR_SETTLE_MS, true);
	const renew = debounce(() => void related.update(true), INDEXED_MS, true);
	const write = debounce((paragraph: string) => void related.writing(paragraph), WRITING_PAUSE_MS, true);
	view.registerEvent(plugin.app.workspace.on("active-leaf-change", () => void related.update()));
	view.registerEvent(plugin.app.workspace.on("file-open", () => void related.update()));
	view.registerEvent(
		plugin.app.vault.on("rename", ({ path }, before) => related.moved(plugin.link.vaultName, before, path)),
	);
	view.registerEvent(
		plugin.app.vault.on("modify", ({ path }) => void (path === activeNote(plugin)?.path && renew())),
	);
	view.registerEvent(plugin.app.vault.on("delete", () => void renew()));
	view.registerEvent(
		plugin.app.workspace.on("editor-change", (editor) => {
			if (related.followsSection) write(paragraphAt(editor));
		}),
	);
	const moved = (): void => {
		if (related.followsSection) settle();
	};
	// Notes are edited in windows of their own, too.
	const followed = new Map<Document, AbortController>();
	const follow = (edited: Document): void => {
		if (followed.has(edited)) return;
		const listening = new AbortController();
		followed.set(edited, listening);
		edited.addEventListener("selectionchange", moved, { signal: listening.signal });
	};
	const leave = (edited: Document): void => {
		followed.get(edited)?.abort();
		followed.delete(edited);
	};
	follow(window.document);
	plugin.app.workspace.iterateAllLeaves((leaf) => follow(leaf.view.containerEl.ownerDocument));
	view.registerEvent(plugin.app.workspace.on("window-open", (_, opened) => follow(opened.document)));
	view.registerEvent(plugin.app.workspace.on("window-close", (_, closed) => leave(closed.document)));
	const stops = [
		connection.onReturn(() => void related.update(true)),
		// Before it is known what the daemon calls the vault, it would be asked about another.
		plugin.link.listenProfiles(() => void (connection.current.phase !== "connecting" && related.update(true))),
		connection.listen(({ phase }) => void (phase !== "connecting" && phase !== "online" && related.update())),
	];
	const dispose = (): void => {
		for (const stop of stops) stop();
		for (const edited of [...followed.keys()]) leave(edited);
		settle.cancel();
		renew.cancel();
		write.cancel();
		related.dispose();
	};
	return { element: related.element, focus: () => related.focus(), dispose };
}

function credentialsPane(plugin: PanelPlugin, view: PanelPane): PaneContent {
	const report = new CredentialsView({
		client: () => plugin.link.client,
		host: plugin.hostFor(view),
		isMine: ({ vault, profile }) => plugin.link.isOwn(vault, profile),
	});
	const stopConnection = plugin.link.connection.onReturn(() => void report.load());
	// A new token may show more, or decide; it comes with profiles of its own.
	const stopProfiles = plugin.link.listenProfiles(() => void report.load());
	const dispose = (): void => {
		stopConnection();
		stopProfiles();
		report.dispose();
	};
	return { element: report.element, focus: () => void report.enter(), dispose };
}

function reviewPane(plugin: PanelPlugin, view: PanelPane): PaneContent {
	const review = new ReviewView({
		client: () => plugin.link.client,
		host: plugin.hostFor(view),
		vault: () => plugin.link.vaultName,
	});
	const stopConnection = plugin.link.connection.onReturn(() => void review.load());
	// A new token may decide.
	const stopProfiles = plugin.link.listenProfiles(() => void review.load());
	const dispose = (): void => {
		stopConnection();
		stopProfiles();
		review.dispose();
	};
	return { element: review.element, focus: () => void review.enter(), dispose };
}

function statusPane(plugin: PanelPlugin, view: PanelPane): PaneContent {
	const { link } = plugin;
	const status = new StatusView({
		client: () => link.client,
		connection: link.connection,
		host: plugin.hostFor(view),
		onConnect: () => plugin.pair(),
	});
	const hidden = new HiddenNotes({ client: () => link.client, host: plugin.hostFor(view) });
	void hidden.load();
	const leave = link.connection.onReturn(() => void hidden.load());
	return {
		element: h("div", {}, status.element, hidden.element),
		focus: () => status.element.focus(),
		dispose: () => {
			leave();
			status.dispose();
		},
	};
}
