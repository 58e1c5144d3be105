import type { Client } from "../../api/client";
import type { SearchAsk, SearchResult } from "../../api/wire";
import { placeOf, wholeNote, type Host } from "../host";

const PAGE = 100;
/** As many notes as one edit takes. */
const MOST = 4_000;

/** Links to all notes that a search finds, in its order, one a line. */
export async function linksTo(client: Client, host: Host, request: SearchAsk): Promise<string[]> {
	return linkLines(host, await allResults(client, request));
}

/** All that a search finds, in its order. */
export async function allResults(client: Client, request: SearchAsk): Promise<readonly SearchResult[]> {
	const found: SearchResult[] = [];
	let offset: number | null = 0;
	while (offset !== null && found.length < MOST) {
		const page: SearchAsk = { ...request, offset, limit: PAGE, fold: false, remember: false };
		const reply = await client.ask("POST /v1/search", page);
		found.push(...reply.results);
		offset = reply.next_offset;
	}
	return found;
}

/** A list of links in Markdown, each note once. */
export function linkLines(host: Host, results: readonly SearchResult[]): string[] {
	return [...new Set(results.map((result) => `- ${host.linkTo(wholeNote(placeOf(result)))}`))];
}
