import { CredentialsView } from "../../panel/credentials/credentialsView";
import { HiddenNotes } from "../../panel/history/hiddenNotes";
import type { ActiveNote } from "../../panel/notes/relatedView";
import { ReviewView } from "../../panel/review/reviewView";
import { readSearchAddress } from "../../panel/search/scopeBar";
import { SearchView } from "../../panel/search/searchView";
import { StatusView } from "../../panel/status/statusView";
import { h } from "../../panel/shared/dom";
import { say } from "../../words/say";
import type { PanelPlugin } from "./panelPlugin";
import { activeNote, type RelatedNotes } from "./relatedNotes";
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

/** The panes that the plugin adds, and what fills each. */
export function paneKinds(plugin: PanelPlugin, related: RelatedNotes): PaneKind[] {
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
			make: (view) => relatedPane(plugin, related, view),
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

function relatedPane(plugin: PanelPlugin, related: RelatedNotes, pane: PanelPane): PaneContent {
	const active = (): ActiveNote | null => activeNote(plugin);
	const view = related.view(pane, active);
	const rest = related.see(view, active);
	const dispose = (): void => {
		rest();
		view.dispose();
	};
	return { element: view.element, focus: () => view.focus(), dispose };
}

function credentialsPane(plugin: PanelPlugin, view: PanelPane): PaneContent {
	const report = new CredentialsView({
		client: () => plugin.link.client,
		host: plugin.hostFor(view),
		isMine: ({ vault, profile }) => plugin.link.isOwn(vault, profile),
	});
	return workPane(plugin, report);
}

function reviewPane(plugin: PanelPlugin, view: PanelPane): PaneContent {
	const review = new ReviewView({
		client: () => plugin.link.client,
		host: plugin.hostFor(view),
		vault: () => plugin.link.vaultName,
	});
	return workPane(plugin, review);
}

/** A list to be worked through, asked for again once the daemon is back or there is a new token, which may show more, or decide. */
function workPane({ link }: PanelPlugin, list: CredentialsView | ReviewView): PaneContent {
	const stops = [link.connection.onReturn(() => void list.load()), link.listenProfiles(() => void list.load())];
	const dispose = (): void => {
		for (const stop of stops) stop();
		list.dispose();
	};
	return { element: list.element, focus: () => void list.enter(), dispose };
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
