import { FileSystemAdapter, Notice, Plugin, type HoverParent } from "obsidian";
import type { Host } from "../../panel/host";
import { QueryHistory } from "../../panel/search/history";
import type { SearchViewOptions } from "../../panel/search/searchView";
import { DEFAULT_SETTINGS, readSettings, type PanelSettings } from "../../panel/settings";
import { shortWords } from "../../panel/status/words";
import { DaemonLink } from "./daemonLink";
import { ElsewhereModal } from "./elsewhereModal";
import { HOVER_SOURCE, ObsidianHost } from "./obsidianHost";
import { pair, pairingTrouble } from "./pairing";
import { activeNote, paneKinds } from "./panes";
import { SearchModal } from "./searchModal";
import { ScrubjaySettingTab } from "./settingsTab";
import { CREDENTIALS_VIEW, PanelPane, RELATED_VIEW, SEARCH_VIEW, STATUS_VIEW } from "./views";

/** The panel in Obsidian: commands, panes, status bar, settings. Everything slow happens in the daemon. */
export default class ScrubjayPlugin extends Plugin {
	override settings: PanelSettings = DEFAULT_SETTINGS;
	link!: DaemonLink;
	private isPairing = false;

	override async onload(): Promise<void> {
		this.settings = readSettings(await this.loadData());
		this.link = new DaemonLink(this.app);
		for (const kind of paneKinds(this)) this.registerView(kind.type, (leaf) => new PanelPane(leaf, kind));
		this.registerHoverLinkSource(HOVER_SOURCE, { display: "Scrubjay", defaultMod: true });
		this.addRibbonIcon("search", "Search in all vaults", () => this.openSearch());
		this.addCommands();
		this.registerObsidianProtocolHandler("scrubjay", ({ query }) => this.openSearch(query));
		this.addStatusBar();
		this.addSettingTab(new ScrubjaySettingTab(this.app, this));
		this.app.workspace.onLayoutReady(() => this.link.connection.start());
	}

	override onunload(): void {
		this.link.connection.stop();
	}

	/** What a search view in Obsidian needs; `hoverParent` owns its previews. */
	searchOptions(hoverParent: HoverParent): Omit<SearchViewOptions, "onLeave" | "onDone"> {
		return { client: this.link.client, host: this.hostFor(hoverParent), settings: () => this.settings, activeNote: () => activeNote(this) };
	}

	hostFor(hoverParent: HoverParent): Host {
		const readElsewhere: ObsidianHostReader = (place) => new ElsewhereModal(this.app, () => this.link.client, place).open();
		return new ObsidianHost({ app: this.app, hoverParent, readElsewhere, previews: () => this.settings.preview });
	}

	openSearch(query = ""): void {
		const hoverParent: HoverParent = { hoverPopover: null };
		new SearchModal(this.app, this.searchOptions(hoverParent), this.link.profiles, query).open();
	}

	changeSettings(change: Partial<PanelSettings>): void {
		this.settings = { ...this.settings, ...change };
		this.saveData(this.settings).catch(() => new Notice("The settings could not be saved"));
	}

	forgetHistory(): void {
		new QueryHistory(this.hostFor({ hoverPopover: null }).storage, () => true).clear();
		new Notice("Searches forgotten");
	}

	/** Give the token back, so that it opens nothing any more; says so where nobody could be told. */
	forgetToken(): void {
		this.link.forget().then(
			() => new Notice("This vault is forgotten"),
			() => new Notice("The token is forgotten here. Scrubjay did not answer: revoke it there with `scrubjay clients revoke`."),
		);
	}

	/** Ask the daemon for a token; says how it went. */
	pair(): void {
		if (this.isPairing) return;
		this.isPairing = true;
		this.tryToPair()
			.then(
				() => new Notice("This vault is paired"),
				(error: unknown) => new Notice(pairingTrouble(error)),
			)
			.finally(() => {
				this.isPairing = false;
			});
	}

	private async tryToPair(): Promise<void> {
		const { adapter } = this.app.vault;
		const vaultPath = adapter instanceof FileSystemAdapter ? adapter.getBasePath() : this.app.vault.getName();
		const token = await pair({ app: this.app, client: this.link.client, folder: this.link.folder, vaultPath });
		this.link.setToken(token);
	}

	private addCommands(): void {
		this.addCommand({ id: "search", name: "Search", callback: () => this.openSearch() });
		this.addCommand({ id: "search-selection", name: "Search for the selected text", editorCallback: (editor) => this.openSearch(editor.getSelection()) });
		this.addCommand({ id: "show-search", name: "Show search in the sidebar", callback: () => this.showPane(SEARCH_VIEW) });
		this.addCommand({ id: "show-related", name: "Show related notes", callback: () => this.showPane(RELATED_VIEW) });
		this.addCommand({ id: "show-credentials", name: "Show credentials in notes", callback: () => this.showPane(CREDENTIALS_VIEW) });
		this.addCommand({ id: "show-status", name: "Show connection and indexing", callback: () => this.showPane(STATUS_VIEW) });
		this.addCommand({ id: "pair", name: "Pair this vault", callback: () => this.pair() });
	}

	private addStatusBar(): void {
		const item = this.addStatusBarItem();
		item.addClass("mod-clickable", "sj-statusbar");
		item.setAttrs({ "aria-label": "Scrubjay", "data-tooltip-position": "top" });
		const light = item.createSpan({ cls: "sj-light" });
		const text = item.createSpan();
		this.registerDomEvent(item, "click", () => this.showPane(STATUS_VIEW));
		this.register(
			this.link.connection.listen((state) => {
				const words = shortWords(state);
				light.className = `sj-light sj-light-${words.light}`;
				text.setText(words.text);
			}),
		);
	}

	private showPane(type: string): void {
		this.revealPane(type).catch(() => new Notice("The pane could not be opened"));
	}

	private async revealPane(type: string): Promise<void> {
		const { workspace } = this.app;
		const leaf = workspace.getLeavesOfType(type)[0] ?? workspace.getRightLeaf(false);
		if (!leaf) return;
		if (leaf.view.getViewType() !== type) await leaf.setViewState({ type, active: true });
		await workspace.revealLeaf(leaf);
		if (leaf.view instanceof PanelPane) leaf.view.focus();
	}
}

type ObsidianHostReader = ConstructorParameters<typeof ObsidianHost>[0]["readElsewhere"];
