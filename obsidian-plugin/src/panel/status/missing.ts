import type { Client } from "../../api/client";
import { unreadNotice } from "../shared/notice";
import { missingWords } from "./words";

/** What every list lacks at the moment, a line a profile; nothing where the daemon does not say. Never rejects. */
export async function whatIsMissing(client: Client): Promise<string[]> {
	const status = await client.askIfOffered("GET /v1/status").catch(() => null);
	return status ? missingWords(status) : [];
}

/** What stands in place of a list in which there is nothing: what every list lacks, or, where all is known, `none`. Never rejects. */
export async function noneNotice(client: Client, none: HTMLElement): Promise<HTMLElement> {
	const missing = await whatIsMissing(client);
	return missing.length > 0 ? unreadNotice(missing) : none;
}
