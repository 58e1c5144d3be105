import { Modal, type App } from "obsidian";
import type { Client } from "../../api/client";
import { obsidianUri, type Place } from "../../panel/host";
import { Reader } from "../../panel/notes/reader";
import type { ObsidianHost } from "./obsidianHost";
import { say } from "../../words/say";
import { inSpokenLanguage } from "./views";

/** A note of another vault, as it is indexed; one button opens it where it lives. */
export class ElsewhereModal extends Modal {
	private reader: Reader | null = null;

	constructor(
		app: App,
		private readonly client: () => Client,
		private readonly place: Place,
		private readonly host: ObsidianHost,
	) {
		super(app);
	}

	override onOpen(): void {
		this.modalEl.addClass("sj-elsewhere");
		inSpokenLanguage(this.contentEl);
		const reader = (this.reader = new Reader({
			client: this.client,
			action: { label: say("reader.openIn", { vault: this.place.vault }), act: (place) => this.leave(place) },
			drawer: (place) => this.host.markdown(place),
		}));
		this.setTitle(this.place.title);
		this.contentEl.append(reader.element);
		reader.show(this.place);
		reader.element.focus();
	}

	override onClose(): void {
		this.reader?.dispose();
		this.contentEl.empty();
	}

	private leave(place: Place): void {
		window.open(obsidianUri(place));
		this.close();
	}
}
