import type { Client } from "../../api/client";
import type { NoteReply } from "../../api/wire";
import type { MarkdownDrawer } from "../host";
import { append } from "../shared/dom";
import { fillEmbeds } from "./embeds";

/** Draws Markdown without a host that can, with the notes that are embedded in it; nothing of it runs, and nothing is loaded from elsewhere. */
export class MarkedDrawer implements MarkdownDrawer {
	private isReleased = false;

	/** profile: where embedded notes are looked for. */
	constructor(
		private readonly client: () => Client,
		private readonly profile: string,
	) {}

	/** What reads Markdown is a good part of the page's code, and first needed here: it is not run before. */
	async draw(text: string, into: HTMLElement): Promise<void> {
		const { renderMarkdown } = await import("./markdown");
		append(into, renderMarkdown(text));
		void fillEmbeds(into, (name) => this.find(name), renderMarkdown);
	}

	release(): void {
		this.isReleased = true;
	}

	private async find(name: string): Promise<Pick<NoteReply, "passages"> | null> {
		const reply = await this.client().askIfOffered("POST /v1/read", { notes: [name], profiles: [this.profile] });
		return this.isReleased ? null : (reply?.notes[0] ?? null);
	}
}
