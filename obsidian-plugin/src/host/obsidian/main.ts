import { addIcon, FileSystemAdapter, Notice, Plugin, TFile, type HoverParent } from "obsidian";
import type { Scope } from "../../api/words";
import { QueryHistory } from "../../panel/search/box/history";
import type { SearchViewOptions } from "../../panel/search/searchView";
import { tooltipsAreLabels } from "../../panel/shared/dom";
import { JAY } from "../../panel/shared/icons";
import { DEFAULT_SETTINGS, readSettings, type PanelSettings } from "../../panel/settings";
import { shortWords } from "../../panel/status/words";
import { say } from "../../words/say";
import { realPath } from "./daemon/daemonFiles";
import { DaemonLink } from "./daemon/daemonLink";
import { registerBase } from "./searchBase";
import { registerCommandLine } from "./commandLine";
import { ElsewhereModal } from "./elsewhereModal";
import { HOVER_SOURCE, ObsidianHost } from "./obsidianHost";
import { pair, pairingTrouble } from "./daemon/pairing";
import type { PanelPlugin } from "./panelPlugin";
import { paneKinds } from "./panes";
import { PluginApi } from "./pluginApi";
import { LinkSuggest } from "./linkSuggest";
import { registerQueryBlocks } from "./queryBlocks";
import { RelatedBelow } from "./relatedBelow";
import { activeNote, RelatedNotes } from "./relatedNotes";
import { SearchModal } from "./searchModal";
import { ScrubjaySettingTab } from "./settingsTab";
import { ObsidianWords } from "./words";
import {
	CREDENTIALS_VIEW,
	JAY_ICON,
	PANE_TYPES,
	PanelPane,
	RELATED_VIEW,
	REVIEW_VIEW,
	SEARCH_VIEW,
	STATUS_VIEW,
} from "./views";

/** The panel in Obsidian: commands, panes, status bar, settings. Everything slow happens in the daemon. */
export default class ScrubjayPlugin extends Plugin implements PanelPlugin {
	override settings: PanelSettings = DEFAULT_SETTINGS;
	link!: DaemonLink;
	private below!: RelatedBelow;
	/** For other plugins and scripts. */
	readonly api = new PluginApi(this);
	private isPairing = false;
	private isUnloaded = false;
	private modal: SearchModal | null = null;
	/** Of the search that was open last. */
	private lastQuery = "";
	private tab: ScrubjaySettingTab | null = null;
	private ribbon!: HTMLElement;

	override async onload(): Promise<void> {
		tooltipsAreLabels();
		const words = new ObsidianWords(this.app);
		words.speak();
		this.settings = readSettings(await this.loadData());
		this.link = new DaemonLink(this.app);
		const related = new RelatedNotes(this);
		this.below = new RelatedBelow(this, related);
		// Obsidian draws icons on a grid of a hundred.
		addIcon(
			JAY_ICON,
			`<path transform="scale(4.16)" fill="none" stroke="currentColor" stroke-width="2" d="${JAY}"/>`,
		);
		for (const kind of paneKinds(this, related)) this.registerView(kind.type, (leaf) => new PanelPane(leaf, kind));
		this.registerHoverLinkSource(HOVER_SOURCE, { display: "Scrubjay", defaultMod: true });
		this.ribbon = this.addRibbonIcon(JAY_ICON, say("command.ribbon"), () => this.openSearch());
		this.addCommands();
		this.addMenus();
		registerCommandLine(this, this.api);
		registerQueryBlocks(this);
		registerBase(this);
		this.registerEditorSuggest(new LinkSuggest(this));
		this.registerObsidianProtocolHandler("scrubjay", ({ query }) => this.openSearch("", query));
		this.addStatusBar();
		const tab = new ScrubjaySettingTab(this.app, this);
		this.tab = tab;
		this.addSettingTab(tab);
		this.register(this.link.listenProfiles(() => tab.refresh()));
		this.register(this.link.onceFound(() => void this.learnWords(words)));
		this.app.workspace.onLayoutReady(() => {
			if (!this.isUnloaded) this.link.connection.start();
		});
	}

	override onunload(): void {
		this.isUnloaded = true;
		this.modal?.forceClose();
		this.link.connection.stop();
	}

	/** The settings were written by another device, through a synced vault. */
	override async onExternalSettingsChange(): Promise<void> {
		this.settings = readSettings(await this.loadData());
		this.below.place();
		this.tab?.refresh();
	}

	searchOptions(hoverParent: HoverParent): Omit<SearchViewOptions, "onLeave" | "onDone"> & { host: ObsidianHost } {
		return {
			client: this.link.client,
			host: this.hostFor(hoverParent),
			settings: () => this.settings,
			activeNote: () => activeNote(this),
		};
	}

	hostFor(hoverParent: HoverParent): ObsidianHost {
		const readElsewhere: ObsidianHostReader = (place) =>
			new ElsewhereModal(this.app, () => this.link.client, place, host).open();
		const host: ObsidianHost = new ObsidianHost({
			app: this.app,
			client: () => this.link.client,
			version: this.manifest.version,
			hoverParent,
			isOwn: (vault, profile) => this.link.isOwn(vault, profile),
			isOwnKnown: () => this.link.isOwnKnown,
			connect: () => this.pair(),
			manage: () => this.pair(["search", "manage"]),
			readElsewhere,
			previews: () => this.settings.preview,
		});
		return host;
	}

	openSearch(query = "", restored = this.lastQuery): void {
		this.modal?.forceClose();
		const hoverParent: HoverParent = { hoverPopover: null };
		const gone = (searched: string): void => {
			this.lastQuery = searched;
			hoverParent.hoverPopover?.unload();
			this.modal = null;
		};
		this.modal = new SearchModal(this.app, this.searchOptions(hoverParent), this.link, query, restored, gone);
		this.modal.open();
	}

	changeSettings(change: Partial<PanelSettings>): void {
		this.settings = { ...this.settings, ...change };
		this.below.place();
		this.saveData(this.settings).catch(() => new Notice(say("obsidian.notSaved")));
	}

	forgetHistory(): void {
		new QueryHistory(this.hostFor({ hoverPopover: null }).storage, () => true).clear();
		new Notice(say("obsidian.searchesForgotten"));
	}

	forgetToken(): void {
		this.link.forget().then(
			() => new Notice(say("obsidian.tokenForgotten")),
			() => new Notice(say("obsidian.tokenForgottenHere")),
		);
	}

	pair(scopes: readonly Scope[] = ["search"]): void {
		if (this.isPairing) return;
		this.isPairing = true;
		this.tryToPair(scopes)
			.then(
				(words) => new Notice(words),
				(error: unknown) => new Notice(pairingTrouble(error)),
			)
			.finally(() => {
				this.isPairing = false;
			});
	}

	/** What there is to say of it. */
	private async tryToPair(scopes: readonly Scope[]): Promise<string> {
		const { adapter } = this.app.vault;
		const vaultPath =
			adapter instanceof FileSystemAdapter ? await realPath(adapter.getBasePath()) : this.app.vault.getName();
		const token = await pair({
			app: this.app,
			client: this.link.client,
			folder: await this.link.folder(),
			vaultPath,
			scopes,
		});
		await this.link.setToken(token);
		if (this.link.profiles.length > 0) return say("obsidian.paired");
		return say("obsidian.pairedNoProfile", {
			command: `scrubjay profile create NAME --vault "${vaultPath}" --allow .`,
		});
	}

	private async learnWords(words: ObsidianWords): Promise<void> {
		if (!(await words.learn((name) => this.link.asset(name))) || this.isUnloaded) return;
		this.addCommands(); // those of the same id are replaced
		this.ribbon.setAttribute("aria-label", say("command.ribbon"));
		this.tab?.refresh();
		const leaves = PANE_TYPES.flatMap((type) => this.app.workspace.getLeavesOfType(type));
		for (const { view } of leaves) if (view instanceof PanelPane) await view.renew();
		this.below.renew();
	}

	private addCommands(): void {
		this.addCommand({ id: "search", name: say("command.search"), callback: () => this.openSearch() });
		this.addCommand({
			id: "search-selection",
			name: say("command.searchSelection"),
			editorCheckCallback: (isAsked, editor) => {
				const selected = editor.getSelection().trim();
				if (!isAsked && selected !== "") this.openSearch(selected);
				return selected !== "";
			},
		});
		this.addCommand({
			id: "show-search",
			name: say("command.showSearch"),
			callback: () => this.showPane(SEARCH_VIEW),
		});
		this.addCommand({
			id: "show-related",
			name: say("command.showRelated"),
			callback: () => this.showPane(RELATED_VIEW),
		});
		this.addCommand({
			id: "show-credentials",
			name: say("command.showCredentials"),
			callback: () => this.showPane(CREDENTIALS_VIEW),
		});
		this.addCommand({
			id: "show-review",
			name: say("command.showReview"),
			callback: () => this.showPane(REVIEW_VIEW),
		});
		this.addCommand({
			id: "show-status",
			name: say("command.showStatus"),
			callback: () => this.showPane(STATUS_VIEW),
		});
		this.addCommand({
			id: "pair",
			name: say("command.pair"),
			checkCallback: (isAsked) => {
				const isWanted = !this.link.isPaired || this.link.connection.current.phase === "unauthorized";
				if (!isAsked && isWanted) this.pair();
				return isWanted;
			},
		});
	}

	/** What the context menus of files and of selected text offer. */
	private addMenus(): void {
		const { workspace } = this.app;
		this.registerEvent(
			workspace.on("editor-menu", (menu, editor) => {
				const selected = editor.getSelection().trim();
				if (selected === "") return;
				menu.addItem((item) =>
					item
						.setTitle(say("command.searchSelection"))
						.setIcon(JAY_ICON)
						.onClick(() => this.openSearch(selected)),
				);
			}),
		);
		this.registerEvent(
			workspace.on("file-menu", (menu, file) => {
				if (!(file instanceof TFile)) return;
				menu.addItem((item) =>
					item
						.setTitle(say("command.showRelated"))
						.setIcon("waypoints")
						.onClick(() => this.showRelated(file)),
				);
			}),
		);
	}

	/** The notes related to a file, beside it. */
	private showRelated(file: TFile): void {
		const opened =
			activeNote(this)?.path === file.path
				? Promise.resolve()
				: this.app.workspace.getLeaf(false).openFile(file, { active: true });
		opened.then(
			() => this.showPane(RELATED_VIEW),
			() => new Notice(say("obsidian.notOpened")),
		);
	}

	private addStatusBar(): void {
		const item = this.addStatusBarItem();
		item.addClass("mod-clickable", "sj-statusbar");
		item.setAttrs({ role: "button", tabindex: "0", "data-tooltip-position": "top" });
		const light = item.createSpan({ cls: "sj-light" });
		const text = item.createSpan();
		this.registerDomEvent(item, "click", () => this.showPane(STATUS_VIEW));
		this.registerDomEvent(item, "keydown", ({ key }) => {
			if (key === "Enter" || key === " ") this.showPane(STATUS_VIEW);
		});
		this.register(
			this.link.connection.listen((state) => {
				const words = shortWords(state);
				light.className = `sj-light sj-light-${words.light}`;
				text.setText(words.text);
				item.setAttribute("aria-label", say("obsidian.statusBar", { status: words.text }));
			}),
		);
	}

	private showPane(type: string): void {
		this.revealPane(type).catch(() => new Notice(say("obsidian.paneNotOpened")));
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
