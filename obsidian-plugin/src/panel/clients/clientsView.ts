import type { Client } from "../../api/client";
import type { ClientReply, PageSession, PairingReply } from "../../api/wire";
import { say, sayAround } from "../../words/say";
import type { Host } from "../host";
import { fill, h } from "../shared/dom";
import { listed } from "../shared/format";
import { when } from "../shared/time";
import { button, emptyNotice, retryNotice } from "../shared/notice";
import { trouble } from "../shared/trouble";

export interface ClientsViewOptions {
	client: () => Client;
	host: Host;
}

/** Who may ask the daemon, and who would like to. */
export class ClientsView {
	readonly element = h("div", { class: "sj-pane" });

	constructor(private readonly options: ClientsViewOptions) {}

	/** Ask anew. Never rejects. */
	async load(): Promise<void> {
		const client = this.options.client();
		try {
			const [clients, pairings, sessions] = await Promise.all([
				client.askIfOffered("GET /v1/clients"),
				client.askIfOffered("GET /v1/pairing"),
				client.askIfOffered("GET /v1/sessions"),
			]);
			if (clients === null)
				return fill(this.element, emptyNotice("key", say("missing.title"), say("missing.clients")));
			this.draw(clients.clients, pairings?.pairings ?? [], sessions?.sessions ?? []);
		} catch (error) {
			fill(
				this.element,
				retryNotice(error, () => void this.load()),
			);
		}
	}

	private draw(
		clients: readonly ClientReply[],
		pairings: readonly PairingReply[],
		sessions: readonly PageSession[],
	): void {
		const none = emptyNotice("key", say("clients.none"), say("clients.none.detail"));
		fill(
			this.element,
			...pairings.map((pairing) => this.pairingCard(pairing)),
			h("div", { class: "sj-pane-head" }, h("h2", { text: say("clients.title") })),
			...(clients.length > 0 ? clients.map((info) => this.clientCard(info)) : [none]),
			...(sessions.length > 0
				? [h("div", { class: "sj-pane-head" }, h("h2", { text: say("clients.browsers") }))]
				: []),
			...sessions.map((session) =>
				this.sessionCard(
					session,
					clients.some(({ own, name }) => own && name === session.client),
				),
			),
		);
	}

	/** The page itself lets nobody in: a stolen session could else make itself a token that outlives it. */
	private pairingCard(pairing: PairingReply): HTMLElement {
		const refuse = button({
			label: say("clients.refuse"),
			act: () =>
				this.run((client) =>
					client.ask("POST /v1/pairing/{id_or_code}", { id_or_code: pairing.id, approve: false }),
				),
		});
		return h(
			"section",
			{
				class: "sj-card sj-card-asking",
				attrs: { "aria-label": say("clients.request", { client: pairing.client }) },
			},
			h("h3", { text: say("clients.wants", { client: pairing.client }) }),
			h("p", {}, ...sayAround("clients.code", { code: h("strong", { class: "sj-code", text: pairing.code }) })),
			h(
				"p",
				{},
				...sayAround("clients.approve", {
					command: h("code", { text: `scrubjay clients approve ${pairing.code}` }),
				}),
			),
			h("div", { class: "sj-card-actions" }, refuse),
		);
	}

	private clientCard(info: ClientReply): HTMLElement {
		const revoke = button(
			{
				label: say("clients.revoke"),
				act: () => this.run((client) => client.ask("DELETE /v1/clients/{client_id}", { client_id: info.id })),
			},
			"sj-button sj-button-danger",
		);
		revoke.setAttribute("aria-label", say("clients.revokeOne", { client: info.name }));
		const used = info.last_used
			? say("clients.used", { ago: when(info.last_used, new Date()) })
			: say("clients.neverUsed");
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": info.name } },
			h(
				"div",
				{ class: "sj-card-head" },
				h("h3", { text: info.own ? say("clients.ownCommandLine") : info.name }),
				!info.own && revoke,
			),
			h("p", {
				class: "sj-muted",
				text: say("clients.may", {
					rights: listed(info.scopes.map((scope) => say(`scope.${scope}`))),
					profiles:
						(info.all_profiles ? say("clients.everyProfile") : listed(info.profiles)) ||
						say("clients.noProfile"),
					used,
				}),
			}),
		);
	}

	/** The session of this page can be ended, too; the page then says that it must be opened anew. */
	private sessionCard(session: PageSession, isOwn: boolean): HTMLElement {
		const now = new Date();
		const times = { opened: when(session.opened, now), used: when(session.last_used, now) };
		const name = session.this ? say("clients.thisBrowser") : say("clients.browser", { id: session.id });
		const end = button(
			{
				label: say("do.close"),
				act: () =>
					this.run((client) => client.ask("DELETE /v1/sessions/{session_id}", { session_id: session.id })),
			},
			"sj-button sj-button-danger",
		);
		end.setAttribute("aria-label", say("clients.closeBrowser", { browser: name }));
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": name } },
			h("div", { class: "sj-card-head" }, h("h3", { text: name }), end),
			h("p", {
				class: "sj-muted",
				text: isOwn
					? say("clients.ownSession", times)
					: say("clients.session", { client: session.client, ...times }),
			}),
		);
	}

	private run(step: (client: Client) => Promise<unknown>): void {
		step(this.options.client()).then(
			() => this.load(),
			(error: unknown) => this.options.host.notify(trouble(error)),
		);
	}
}
