import type { HoverParent, Plugin } from "obsidian";
import type { Scope } from "../../api/words";
import type { SearchViewOptions } from "../../panel/search/searchView";
import type { PanelSettings } from "../../panel/settings";
import type { DaemonLink } from "./daemon/daemonLink";
import type { ObsidianHost } from "./obsidianHost";

/** The plugin as its panes, blocks and settings see it. */
export interface PanelPlugin extends Plugin {
	readonly settings: PanelSettings;
	readonly link: DaemonLink;
	/** What a search view in Obsidian needs; `hoverParent` owns its previews. */
	searchOptions(hoverParent: HoverParent): Omit<SearchViewOptions, "onLeave" | "onDone"> & { host: ObsidianHost };
	/** The host of a view; `hoverParent` owns its previews. */
	hostFor(hoverParent: HoverParent): ObsidianHost;
	openSearch(query?: string): void;
	/** Change settings and keep them; says so where they cannot be written. */
	changeSettings(change: Partial<PanelSettings>): void;
	forgetHistory(): void;
	/** Give the token back, so that it opens nothing any more; says so where nobody could be told. */
	forgetToken(): void;
	/** Ask the daemon for a token; says how it went. With `manage`, it also decides about credentials and folders. */
	pair(scopes?: readonly Scope[]): void;
}
