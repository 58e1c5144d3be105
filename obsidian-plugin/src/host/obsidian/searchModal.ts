import { Modal, type App } from "obsidian";
import { SearchView, type SearchViewOptions } from "../../panel/search/searchView";
import type { ProfileReply } from "../../api/wire";

/** The search panel over whatever is open; closes when a note is opened. */
export class SearchModal extends Modal {
	private view: SearchView | null = null;

	constructor(
		app: App,
		private readonly viewOptions: Omit<SearchViewOptions, "onLeave" | "onDone">,
		private readonly profiles: readonly ProfileReply[],
		private readonly query: string,
	) {
		super(app);
	}

	override onOpen(): void {
		this.modalEl.addClass("sj-modal");
		const close = (): void => super.close();
		this.view = new SearchView({ ...this.viewOptions, onLeave: close, onDone: close });
		this.view.setProfiles(this.profiles);
		this.contentEl.append(this.view.element);
		if (this.query === "") this.view.focus();
		else this.view.setQuery(this.query);
	}

	/** Escape first leaves what the panel has opened on top of its results. */
	override close(): void {
		if (!this.view?.stepBack()) super.close();
	}

	override onClose(): void {
		this.view?.dispose();
		this.view = null;
		this.contentEl.empty();
	}
}
