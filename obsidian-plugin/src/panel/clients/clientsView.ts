import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { ClientReply, PairingReply, ProfileReply } from "../../api/wire";
import type { Host } from "../host";
import { fill, h, setAttr, setColour } from "../shared/dom";
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
			const [clients, pairings, profiles] = await Promise.all([client.clients(), client.pairings(), client.profiles()]);
			if (clients === null) return fill(this.element, emptyNotice("key", "Not available", "This session may not manage clients."));
			this.draw(clients, pairings ?? [], profiles);
		} catch (error) {
			fill(this.element, errorNotice(asApiError(error), { label: "Try again", act: () => void this.load() }));
		}
	}

	private draw(clients: readonly ClientReply[], pairings: readonly PairingReply[], profiles: readonly ProfileReply[]): void {
		const none = emptyNotice("key", "No clients", "Plugins, scripts and agents appear here once you let them in.");
		fill(
			this.element,
			...pairings.map((pairing) => this.pairingCard(pairing, profiles)),
			h("div", { class: "sj-pane-head" }, h("h2", { text: "Clients" })),
			...(clients.length > 0 ? clients.map((info) => this.clientCard(info)) : [none]),
		);
	}

	private pairingCard(pairing: PairingReply, profiles: readonly ProfileReply[]): HTMLElement {
		const chosen = new Set(pairing.profiles);
		const accept = button({ label: "Let it in", act: () => this.run((client) => client.approve(pairing.id, [...chosen])) }, "sj-button sj-button-main");
		const refuse = button({ label: "Refuse", act: () => this.run((client) => client.refuse(pairing.id)) });
		accept.toggleAttribute("disabled", chosen.size === 0);
		const chips = profiles.map(({ name, colour }) => profileChip(name, colour, chosen, () => accept.toggleAttribute("disabled", chosen.size === 0)));
		return h(
			"section",
			{ class: "sj-card sj-card-asking", attrs: { "aria-label": `Request of ${pairing.client}` } },
			h("h3", { text: `${pairing.client} would like to search` }),
			h("p", {}, "Let it in only if it shows this code: ", h("strong", { class: "sj-code", text: pairing.code })),
			h("div", { class: "sj-chips", attrs: { role: "group", "aria-label": "Profiles that it would see" } }, h("span", { class: "sj-muted", text: "It would see" }), ...chips),
			h("div", { class: "sj-card-actions" }, accept, refuse),
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

	private run(step: (client: Client) => Promise<void>): void {
		step(this.options.client()).then(
			() => this.load(),
			(error: unknown) => this.options.host.notify(asApiError(error).message),
		);
	}
}

function profileChip(name: string, colour: string | null, chosen: Set<string>, onChange: () => void): HTMLElement {
	const chip = h("button", { class: "sj-chip", attrs: { "aria-pressed": String(chosen.has(name)) } }, h("span", { class: "sj-dot" }), name);
	setColour(chip, colour);
	chip.addEventListener("click", () => {
		if (!chosen.delete(name)) chosen.add(name);
		setAttr(chip, "aria-pressed", String(chosen.has(name)));
		onChange();
	});
	return chip;
}
