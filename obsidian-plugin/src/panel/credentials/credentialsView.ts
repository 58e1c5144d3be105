import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { Credential } from "../../api/wire";
import type { Host } from "../host";
import { fill, h } from "../shared/dom";
import { count, folderOf, nameOf } from "../shared/format";
import { icon } from "../shared/icons";
import { emptyNotice, errorNotice, notOffered } from "../shared/notice";

export interface CredentialsViewOptions {
	client: () => Client;
	host: Host;
	/** Only this vault's; left out: every vault that the token sees. */
	vault?: string;
}

export interface CredentialNote {
	profile: string;
	vault: string;
	path: string;
	found: Credential[];
}

/** Findings by note, notes and lines in order. */
export function byNote(credentials: readonly Credential[]): CredentialNote[] {
	const notes = new Map<string, CredentialNote>();
	for (const credential of credentials) {
		const { profile, vault, path } = credential;
		const key = `${profile}\n${vault}\n${path}`;
		const note = notes.get(key) ?? { profile, vault, path, found: [] };
		note.found.push(credential);
		notes.set(key, note);
	}
	for (const note of notes.values()) note.found.sort((a, b) => a.line - b.line);
	return [...notes.values()].sort((a, b) => a.vault.localeCompare(b.vault) || a.path.localeCompare(b.path));
}

/** Where credentials sit in the notes: path, line and kind; never the credential. */
export class CredentialsView {
	readonly element = h("div", { class: "sj-pane sj-credentials" });

	constructor(private readonly options: CredentialsViewOptions) {}

	/** Ask for the report anew. Never rejects. */
	async load(): Promise<void> {
		try {
			const all = await this.options.client().credentials();
			if (all === null) return fill(this.element, notOffered("shield", "the credential report"));
			const { vault } = this.options;
			this.draw(byNote(vault === undefined ? all : all.filter((found) => found.vault === vault)));
		} catch (error) {
			fill(this.element, errorNotice(asApiError(error), { label: "Try again", act: () => void this.load() }));
		}
	}

	private draw(notes: readonly CredentialNote[]): void {
		if (notes.length === 0) return fill(this.element, emptyNotice("shield", "No credentials found", "No indexed note holds anything that looks like a password, key or token."));
		const total = notes.reduce((sum, note) => sum + note.found.length, 0);
		const head = h(
			"div",
			{ class: "sj-pane-head" },
			icon("shield", "sj-icon sj-warn"),
			h("h2", { text: `${count(total, "credential")} in ${count(notes.length, "note")}` }),
		);
		const about = h("p", { class: "sj-muted", text: "Each was taken out before indexing and is stored nowhere. Your files still hold them: move them to a password manager, and replace any that were shared." });
		fill(this.element, head, about, ...notes.map((note) => this.card(note)));
	}

	private card({ profile, vault, path, found }: CredentialNote): HTMLElement {
		const folder = folderOf(path);
		const lines = found.map(({ line, about }) =>
			h("li", {}, h("button", { class: "sj-finding", on: { click: () => this.open(vault, path, line) } }, h("span", { class: "sj-line-number", text: `line ${line}` }), h("span", { text: about }))),
		);
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": nameOf(path) } },
			h("div", { class: "sj-card-head" }, h("h3", { text: nameOf(path) }), h("span", { class: "sj-muted", text: [...new Set([profile, vault, folder])].filter((part) => part !== "").join(" › ") })),
			h("ul", { class: "sj-findings" }, ...lines),
		);
	}

	private open(vault: string, path: string, line: number): void {
		this.options.host.open({ vault, path, title: nameOf(path), line }, "here");
	}
}
