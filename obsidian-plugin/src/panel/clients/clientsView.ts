import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { ClientReply, PageSession, PairingReply } from "../../api/wire";
import type { Host } from "../host";
import { fill, h } from "../shared/dom";
import { ago, listed } from "../shared/format";
import { button, emptyNotice, errorNotice } from "../shared/notice";

export interface ClientsViewOptions {
	client: () => Client;
	host: Host;
}

/** Who may ask the daemon, and who would like to. */
export class ClientsView {
	readonly element = h("div", { class: "sj-pane sj-clients" });

	constructor(private readonly options: ClientsViewOptions) {}

	/** Ask anew. Never rejects. */
	async load(): Promise<void> {
		const client = this.options.client();
		try {
			const [clients, pairings, sessions] = await Promise.all([client.clients(), client.pairings(), client.sessions()]);
			if (clients === null) return fill(this.element, emptyNotice("key", "Not available", "This session may not manage clients."));
			this.draw(clients, pairings ?? [], sessions ?? []);
		} catch (error) {
			fill(this.element, errorNotice(asApiError(error), { label: "Try again", act: () => void this.load() }));
		}
	}

	private draw(clients: readonly ClientReply[], pairings: readonly PairingReply[], sessions: readonly PageSession[]): void {
		const none = emptyNotice("key", "No clients", "Plugins, scripts and agents appear here once you let them in.");
		fill(
			this.element,
			...pairings.map((pairing) => this.pairingCard(pairing)),
			h("div", { class: "sj-pane-head" }, h("h2", { text: "Clients" })),
			...(clients.length > 0 ? clients.map((info) => this.clientCard(info)) : [none]),
			...(sessions.length > 0 ? [h("div", { class: "sj-pane-head" }, h("h2", { text: "Browsers on the search page" }))] : []),
			...sessions.map((session) => this.sessionCard(session)),
		);
	}

	/** The page itself lets nobody in: a stolen session could else make itself a token that outlives it. */
	private pairingCard(pairing: PairingReply): HTMLElement {
		const refuse = button({ label: "Refuse", act: () => this.run((client) => client.refuse(pairing.id)) });
		return h(
			"section",
			{ class: "sj-card sj-card-asking", attrs: { "aria-label": `Request of ${pairing.client}` } },
			h("h3", { text: `${pairing.client} would like to search` }),
			h("p", {}, "Let it in only if it shows this code: ", h("strong", { class: "sj-code", text: pairing.code })),
			h("p", {}, "To let it in, run ", h("code", { text: `scrubjay clients approve ${pairing.code}` }), ", or choose it in the tray's menu."),
			h("div", { class: "sj-card-actions" }, refuse),
		);
	}

	private clientCard(info: ClientReply): HTMLElement {
		const revoke = button({ label: "Revoke", act: () => this.run((client) => client.revoke(info.id)) }, "sj-button sj-button-danger");
		revoke.setAttribute("aria-label", `Revoke ${info.name}`);
		const used = info.last_used ? `last used ${ago(info.last_used, new Date())}` : "never used";
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": info.name } },
			h("div", { class: "sj-card-head" }, h("h3", { text: info.own ? "Your own command line" : info.name }), !info.own && revoke),
			h("p", { class: "sj-muted", text: `May ${listed(info.scopes)} · sees ${(info.all_profiles ? "every profile" : listed(info.profiles)) || "nothing"} · ${used}` }),
		);
	}

	/** The session of this page can be ended, too; the page then says that it must be opened anew. */
	private sessionCard(session: PageSession): HTMLElement {
		const now = new Date();
		const name = session.this ? "This browser" : `Browser ${session.id}`;
		const end = button({ label: "Close", act: () => this.run((client) => client.endSession(session.id)) }, "sj-button sj-button-danger");
		end.setAttribute("aria-label", `Close ${session.this ? "this browser" : `browser ${session.id}`}`);
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": name } },
			h("div", { class: "sj-card-head" }, h("h3", { text: name }), end),
			h("p", { class: "sj-muted", text: `As ${session.client} · let in ${ago(session.opened, now)} · last used ${ago(session.last_used, now)}` }),
		);
	}

	private run(step: (client: Client) => Promise<void>): void {
		step(this.options.client()).then(
			() => this.load(),
			(error: unknown) => this.options.host.notify(asApiError(error).message),
		);
	}
}
