import { Modal, type App } from "obsidian";
import { Reader } from "../../panel/notes/reader";
import { ReadingColumns } from "../../panel/notes/readingColumns";
import { SearchView, type SearchViewOptions } from "../../panel/search/searchView";
import { setAttr } from "../../panel/shared/dom";
import { say } from "../../words/say";
import type { DaemonLink } from "./daemon/daemonLink";
import type { ObsidianHost } from "./obsidianHost";
import { inSpokenLanguage } from "./views";

/** The search panel over whatever is open; closes when a note is opened. */
export class SearchModal extends Modal {
	private view: SearchView | null = null;
	private columns: ReadingColumns | null = null;
	private stops: (() => void)[] = [];

	constructor(
		app: App,
		private readonly viewOptions: Omit<SearchViewOptions, "onLeave" | "onDone"> & { host: ObsidianHost },
		private readonly link: DaemonLink,
		private readonly query: string,
		/** What was searched for last, to be shown where nothing is asked for. */
		private readonly last: string,
		/** The modal is gone, and what it searched for. */
		private readonly onGone: (query: string) => void,
	) {
		super(app);
	}

	override onOpen(): void {
		this.modalEl.addClass("sj-modal");
		inSpokenLanguage(this.contentEl);
		const close = (): void => super.close();
		const { client, host } = this.viewOptions;
		const view: SearchView = new SearchView({
			...this.viewOptions,
			reading: () => columns,
			onLeave: close,
			onDone: close,
		});
		const reader = new Reader({
			client: () => client,
			action: { label: say("reader.open"), act: (place) => view.open(place, "here") },
			drawer: (place) => host.markdown(place),
		});
		const columns: ReadingColumns = new ReadingColumns(view.element, reader, {
			storage: host.storage,
			looksFirst: false,
			onBack: () => view.focus(),
		});
		this.view = view;
		this.columns = columns;
		setAttr(this.modalEl, "role", "dialog");
		setAttr(this.modalEl, "aria-label", say("obsidian.modal"));
		this.contentEl.append(columns.element);
		this.stops = [
			this.link.listenProfiles((profiles) => view.setProfiles(profiles)),
			view.follow(this.link.connection),
		];
		if (this.query !== "") view.setQuery(this.query);
		else if (this.last !== "") view.restore(this.last);
		else view.focus();
	}

	/** Escape first leaves what the panel has opened on top of its results. */
	override close(): void {
		if (!this.view?.stepBack()) super.close();
	}

	/** Close, whatever is open on top of the results. */
	forceClose(): void {
		super.close();
	}

	override onClose(): void {
		for (const stop of this.stops) stop();
		const query = this.view?.address.query ?? "";
		this.view?.dispose();
		this.columns?.dispose();
		this.view = null;
		this.contentEl.empty();
		this.onGone(query);
	}
}
