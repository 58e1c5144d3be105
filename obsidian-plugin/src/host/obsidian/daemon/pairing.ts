import { Modal, type App } from "obsidian";
import type { Client } from "../../../api/client";
import type { Scope } from "../../../api/words";
import { say } from "../../../words/say";
import { readPairingKey } from "./daemonFiles";
import { proofOf } from "./proof";
import { trouble } from "../../../panel/shared/trouble";

const POLL_MS = 1_500;

/** How a pairing may end without a token. */
class PairingRefused extends Error {}

export interface PairingOptions {
	app: App;
	client: Client;
	/** Where `pairing.key` may be. */
	folder: string;
	/** Absolute path of the vault, so that the daemon shows this client the profiles of this vault. */
	vaultPath: string;
	/** What the token is to allow. */
	scopes: readonly Scope[];
}

/**
 * Ask the daemon for a token of this vault's own.
 *
 * Being able to read the daemon's private key file proves to be the same user, and one click is enough. Where it cannot
 * be read, the user compares a code and approves in Scrubjay. Rejects with PairingRefused or ApiError.
 */
export async function pair({ app, client, folder, vaultPath, scopes }: PairingOptions): Promise<string> {
	const asked = await client.ask("POST /v1/pairing", {
		client: `Obsidian · ${app.vault.getName()}`,
		vault: vaultPath,
		scopes,
	});
	const key = await readPairingKey(folder);
	if (key)
		await client.ask("POST /v1/pairing/{request_id}/proof", {
			request_id: asked.id,
			proof: await proofOf(key, asked.id),
		});
	const modal = key ? null : new CodeModal(app, asked.code);
	modal?.open();
	try {
		return await collect(client, asked.id, asked.secret, () => modal?.isCancelled ?? false);
	} finally {
		modal?.close();
	}
}

async function collect(client: Client, id: string, secret: string, isCancelled: () => boolean): Promise<string> {
	while (!isCancelled()) {
		const { state, token } = await client.ask("POST /v1/pairing/{request_id}/collect", { request_id: id, secret });
		if (state === "approved" && token) return token;
		if (state === "refused") throw new PairingRefused(say("pairing.refused"));
		await new Promise((resolve) => window.setTimeout(resolve, POLL_MS));
	}
	throw new PairingRefused(say("pairing.cancelled"));
}

/** Words for whatever ended a pairing. */
export function pairingTrouble(error: unknown): string {
	return error instanceof PairingRefused ? error.message : trouble(error);
}

/** Shows the code that the user compares with the one in Scrubjay. */
class CodeModal extends Modal {
	isCancelled = false;

	constructor(
		app: App,
		private readonly code: string,
	) {
		super(app);
	}

	override onOpen(): void {
		this.setTitle(say("pairing.title"));
		this.contentEl.createEl("p", { text: say("pairing.detail") });
		this.contentEl.createDiv({ cls: "sj-pairing-code", text: this.code });
	}

	override onClose(): void {
		this.isCancelled = true;
		this.contentEl.empty();
	}
}
