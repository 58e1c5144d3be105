import { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { Transport } from "../../api/transport";
import type { SessionReply } from "../../api/wire";
import { pageKey, type KeyStore } from "./pageKey";

/** What travels for a page: requests, shown to be the page's by its key. */
export interface KeyedTransport extends Transport {
	useKey(key: CryptoKey): void;
}

/** The one-time ticket in an address such as `#ticket=…`; null without one. */
export function ticketIn(hash: string): string | null {
	return new URLSearchParams(hash.replace(/^#/, "")).get("ticket");
}

/**
 * Open this page's session: with the ticket if the address had one, else with the cookie and key of an earlier visit.
 *
 * Rejects with ApiError, `isUnauthorized` where neither is (still) good.
 */
export async function openSession(
	transport: KeyedTransport,
	ticket: string | null,
	keys: KeyStore,
): Promise<SessionReply> {
	const client = new Client(transport);
	if (ticket !== null) {
		const opened = await client.ask("POST /v1/session", { ticket }).catch((error: unknown) => {
			if (asApiError(error).isUnreachable) throw error;
			return null;
		});
		if (opened) return begun(opened, transport, keys);
	}
	const key = await keys.load();
	if (key) transport.useKey(key);
	return client.ask("GET /v1/session");
}

async function begun(session: SessionReply, transport: KeyedTransport, keys: KeyStore): Promise<SessionReply> {
	if (session.key) {
		const key = await pageKey(session.key);
		await keys.save(key);
		transport.useKey(key);
	}
	return session;
}
