import { Modal, type App } from "obsidian";
import type { Client } from "../../api/client";
import { obsidianUri, type Place } from "../../panel/host";
import { Reader } from "../../panel/notes/reader";

/** A note of another vault, as it is indexed; one button opens it where it lives. */
export class ElsewhereModal extends Modal {
	constructor(
		app: App,
		private readonly client: () => Client,
		private readonly place: Place,
	) {
		super(app);
	}

	override onOpen(): void {
		this.modalEl.addClass("sj-elsewhere");
		const reader = new Reader(this.client, { label: `Open in ${this.place.vault}`, act: (place) => this.leave(place) });
		this.setTitle(this.place.title);
		this.contentEl.append(reader.element);
		reader.show(this.place);
		reader.element.focus();
	}

	override onClose(): void {
		this.contentEl.empty();
	}

	private leave({ vault, path, headings }: Place): void {
		window.open(obsidianUri(vault, path, headings));
		this.close();
	}
}
