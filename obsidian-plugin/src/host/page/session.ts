import { ApiError } from "../../api/errors";
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
	if (ticket !== null) {
		const opened = await transport.send({ method: "POST", path: "/v1/session", body: { ticket } });
		if (isFine(opened.status)) return begun(opened.body as SessionReply, transport, keys);
	}
	const key = await keys.load();
	if (key) transport.useKey(key);
	const found = await transport.send({ method: "GET", path: "/v1/session" });
	if (!isFine(found.status)) throw ApiError.of(found);
	return found.body as SessionReply;
}

async function begun(session: SessionReply, transport: KeyedTransport, keys: KeyStore): Promise<SessionReply> {
	if (session.key) {
		const key = await pageKey(session.key);
		await keys.save(key);
		transport.useKey(key);
	}
	return session;
}

function isFine(status: number): boolean {
	return status >= 200 && status < 300;
}
