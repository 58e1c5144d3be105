import type { Client } from "../../api/client";
import type { NoteReply } from "../../api/wire";
import type { MarkdownDrawer } from "../host";
import { append } from "../shared/dom";
import { fillEmbeds } from "./embeds";
import { renderMarkdown } from "./markdown";

/** Draws Markdown without a host that can, with the notes that are embedded in it; nothing of it runs, and nothing is loaded from elsewhere. */
export class PanelDrawer implements MarkdownDrawer {
	private isReleased = false;

	/** profile: where embedded notes are looked for. */
	constructor(
		private readonly client: () => Client,
		private readonly profile: string,
	) {}

	draw(text: string, into: HTMLElement): Promise<void> {
		append(into, renderMarkdown(text));
		void fillEmbeds(into, (name) => this.find(name));
		return Promise.resolve();
	}

	release(): void {
		this.isReleased = true;
	}

	private async find(name: string): Promise<Pick<NoteReply, "passages"> | null> {
		const reply = await this.client().askIfOffered("POST /v1/read", { notes: [name], profiles: [this.profile] });
		return this.isReleased ? null : (reply?.notes[0] ?? null);
	}
}
