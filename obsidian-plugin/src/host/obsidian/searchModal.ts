import { Modal, type App } from "obsidian";
import { SearchView, type SearchViewOptions } from "../../panel/search/searchView";
import type { DaemonLink } from "./daemonLink";

/** The search panel over whatever is open; closes when a note is opened. */
export class SearchModal extends Modal {
	private view: SearchView | null = null;
	private stops: (() => void)[] = [];

	constructor(
		app: App,
		private readonly viewOptions: Omit<SearchViewOptions, "onLeave" | "onDone">,
		private readonly link: DaemonLink,
		private readonly query: string,
		/** The modal is gone. */
		private readonly onGone: () => void,
	) {
		super(app);
	}

	override onOpen(): void {
		this.modalEl.addClass("sj-modal");
		const close = (): void => super.close();
		const view = new SearchView({ ...this.viewOptions, onLeave: close, onDone: close });
		this.view = view;
		this.modalEl.setAttribute("aria-label", "Search");
		this.contentEl.append(view.element);
		this.stops = [this.link.listenProfiles((profiles) => view.setProfiles(profiles)), this.link.connection.onReturn(() => view.refresh())];
		if (this.query === "") view.focus();
		else view.setQuery(this.query);
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
		this.view?.dispose();
		this.view = null;
		this.contentEl.empty();
		this.onGone();
	}
}
