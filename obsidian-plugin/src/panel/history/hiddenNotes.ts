import type { Client } from "../../api/client";
import type { HiddenNoteReply } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { fill, h, refill } from "../shared/dom";
import { nameOf } from "../shared/format";
import { button } from "../shared/notice";
import { trouble } from "../shared/trouble";

/** From what a note is hidden. */
export function hiddenWords({ asked, query }: HiddenNoteReply): string {
	return asked === "" ? say("hidden.always") : say("hidden.query", { query });
}

/** Have a hidden note found again. */
export async function showAgain(client: Client, { profile, vault, path, asked }: HiddenNoteReply): Promise<void> {
	await client.ask("DELETE /v1/hidden", { profile, vault, path, asked });
}

/** The notes that are hidden, each with what brings it back; nothing where this client may not see them. */
export class HiddenNotes {
	readonly element = h("section", { class: "sj-hidden-notes" });

	constructor(private readonly options: { client: () => Client; host: Host }) {}

	/** Ask anew. Never rejects. */
	async load(): Promise<void> {
		const reply = await this.options
			.client()
			.askIfOffered("GET /v1/hidden", {})
			.catch(() => null);
		if (reply === null) return fill(this.element);
		const { notes } = reply;
		refill(
			this.element,
			notes.length > 0 && h("h3", { text: say("hidden.title") }),
			notes.length > 0 && h("ul", { class: "sj-findings" }, ...notes.map((note) => this.row(note))),
		);
	}

	private row(note: HiddenNoteReply): HTMLElement {
		const name = nameOf(note.path);
		const show = button({ label: say("hidden.show"), act: () => void this.showAgain(note) });
		show.setAttribute("aria-label", `${say("hidden.show")}: ${name}`);
		return h(
			"li",
			{ class: "sj-hidden-note" },
			h(
				"span",
				{ title: `${note.vault}/${note.path}` },
				h("span", { text: name, attrs: { dir: "auto" } }),
				h("span", { class: "sj-muted", text: `${note.profile} · ${hiddenWords(note)}` }),
			),
			show,
		);
	}

	private async showAgain(note: HiddenNoteReply): Promise<void> {
		const { client, host } = this.options;
		await showAgain(client(), note).catch((error: unknown) => host.notify(trouble(error)));
		await this.load();
	}
}
