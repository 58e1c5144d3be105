import { ApiError } from "../../api/errors";
import type { Transport } from "../../api/transport";
import type { SessionReply } from "../../api/wire";

/** The one-time ticket in an address such as `#ticket=…`; null without one. */
export function ticketIn(hash: string): string | null {
	return new URLSearchParams(hash.replace(/^#/, "")).get("ticket");
}

/**
 * Open this page's session: with the ticket if the address had one, else with the cookie of an earlier visit.
 *
 * Rejects with ApiError, `isUnauthorized` where neither is (still) good.
 */
export async function openSession(transport: Transport, ticket: string | null): Promise<SessionReply> {
	if (ticket !== null) {
		const opened = await transport.send({ method: "POST", path: "/v1/session", body: { ticket } });
		if (isFine(opened.status)) return opened.body as SessionReply;
	}
	const found = await transport.send({ method: "GET", path: "/v1/session" });
	if (!isFine(found.status)) throw ApiError.of(found);
	return found.body as SessionReply;
}

function isFine(status: number): boolean {
	return status >= 200 && status < 300;
}
