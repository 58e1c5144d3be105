import type { Client } from "../../api/client";
import { missingWords } from "./words";

/** What every list lacks at the moment, a line a profile; nothing where the daemon does not say. Never rejects. */
export async function whatIsMissing(client: Client): Promise<string[]> {
	const status = await client.askIfOffered("GET /v1/status").catch(() => null);
	return status ? missingWords(status) : [];
}
