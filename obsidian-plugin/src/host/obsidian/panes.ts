import { debounce } from "obsidian";
import { CredentialsView } from "../../panel/credentials/credentialsView";
import { RelatedView, type ActiveNote } from "../../panel/notes/relatedView";
import { readSearchAddress } from "../../panel/search/scopeBar";
import { SearchView } from "../../panel/search/searchView";
import { StatusView } from "../../panel/status/statusView";
import type ScrubjayPlugin from "./main";
import { lastMarkdownView } from "./openNote";
import { CREDENTIALS_VIEW, RELATED_VIEW, SEARCH_VIEW, STATUS_VIEW, type PaneContent, type PaneKind, type PanelPane } from "./views";

const CURSOR_SETTLE_MS = 600;

/** The panes that the plugin adds, and what fills each. */
export function paneKinds(plugin: ScrubjayPlugin): PaneKind[] {
	return [
		{ type: SEARCH_VIEW, title: "Scrubjay search", icon: "search", make: (view) => searchPane(plugin, view) },
		{ type: RELATED_VIEW, title: "Related notes", icon: "waypoints", make: (view) => relatedPane(plugin, view) },
		{ type: CREDENTIALS_VIEW, title: "Credentials in notes", icon: "shield-check", make: (view) => credentialsPane(plugin, view) },
		{ type: STATUS_VIEW, title: "Scrubjay status", icon: "activity", make: (view) => statusPane(plugin, view) },
	];
}

/** The note in the editor that was used last, and the cursor's line. */
export function activeNote(plugin: ScrubjayPlugin): ActiveNote | null {
	const view = lastMarkdownView(plugin.app);
	if (!view?.file) return null;
	return { vault: plugin.link.vaultName, path: view.file.path, title: view.file.basename, line: view.editor.getCursor().line + 1 };
}

function searchPane(plugin: ScrubjayPlugin, view: PanelPane): PaneContent {
	const search = new SearchView({ ...plugin.searchOptions(view), onAddress: () => plugin.app.workspace.requestSaveLayout(), onLeave: () => undefined });
	const stop = plugin.link.listenProfiles((profiles) => search.setProfiles(profiles));
	const stopConnection = plugin.link.connection.onReturn(() => search.refresh());
	const dispose = (): void => {
		stop();
		stopConnection();
		search.dispose();
	};
	return {
		element: search.element,
		focus: () => search.focus(),
		dispose,
		pressed: (event) => search.shortcut(event),
		state: { get: () => ({ ...search.address }), set: (saved) => search.go(readSearchAddress(saved, search.address)) },
	};
}

function relatedPane(plugin: ScrubjayPlugin, view: PanelPane): PaneContent {
	const related = new RelatedView({
		client: () => plugin.link.client,
		host: plugin.hostFor(view),
		active: () => activeNote(plugin),
		context: () => ({ now: new Date(), colours: new Map(plugin.link.profiles.map(({ name, colour }) => [name, colour])), showProfile: plugin.link.profiles.length > 1 }),
	});
	const settle = debounce(() => void related.update(), CURSOR_SETTLE_MS, true);
	view.registerEvent(plugin.app.workspace.on("active-leaf-change", () => void related.update()));
	view.registerEvent(plugin.app.workspace.on("file-open", () => void related.update()));
	const moved = (): void => {
		if (related.followsSection) settle();
	};
	// Notes are edited in windows of their own, too.
	const follow = (window: Window): void => view.registerDomEvent(window.document, "selectionchange", moved);
	follow(window);
	view.registerEvent(plugin.app.workspace.on("window-open", (_, opened) => follow(opened)));
	const stopConnection = plugin.link.connection.onReturn(() => void related.update(true));
	void related.update();
	const dispose = (): void => {
		stopConnection();
		related.dispose();
	};
	return { element: related.element, dispose };
}

function credentialsPane(plugin: ScrubjayPlugin, view: PanelPane): PaneContent {
	const report = new CredentialsView({ client: () => plugin.link.client, host: plugin.hostFor(view), isMine: ({ vault, profile }) => plugin.link.isOwn(vault, profile) });
	const dispose = plugin.link.connection.onReturn(() => void report.load());
	void report.load();
	return { element: report.element, focus: () => void report.load(), dispose };
}

function statusPane(plugin: ScrubjayPlugin, view: PanelPane): PaneContent {
	const { link } = plugin;
	const status = new StatusView({ client: () => link.client, connection: link.connection, host: plugin.hostFor(view), onConnect: () => plugin.pair() });
	return { element: status.element, dispose: () => status.dispose() };
}
