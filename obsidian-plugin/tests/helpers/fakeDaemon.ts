import { ApiError } from "../../src/api/errors";
import type { ApiReply, ApiRequest, Transport } from "../../src/api/transport";
import type { OnDisk, SearchAsk, SearchResponse, SearchResult, Status } from "../../src/api/wire";
import type { OfferedNote } from "../../src/api/words";

type Answer = (request: ApiRequest) => unknown;

/** A daemon in memory: answers by "METHOD /path" (query string aside), and remembers what it was asked. */
export class FakeDaemon implements Transport {
	readonly asked: ApiRequest[] = [];
	readonly answers = new Map<string, Answer>();
	isAway = false;

	on(route: string, answer: Answer): this {
		this.answers.set(route, answer);
		return this;
	}

	async send(request: ApiRequest): Promise<ApiReply> {
		this.asked.push(request);
		if (this.isAway) throw ApiError.unreachable();
		const answer = this.answers.get(`${request.method} ${request.path.split("?")[0] ?? ""}`);
		if (!answer) return { status: 404, body: { status: 404, code: "not-found", detail: "There is nothing here." } };
		const body = await answer(request);
		return body instanceof Refused ? { status: body.status, body: body.body } : { status: 200, body };
	}

	/** The searches so far. */
	get searches(): SearchAsk[] {
		return this.asked.filter(({ path }) => path === "/v1/search").map(({ body }) => body as SearchAsk);
	}
}

export class Refused {
	constructor(
		readonly status: number,
		readonly body: unknown,
	) {}
}

export function result(change: Partial<SearchResult> = {}): SearchResult {
	return {
		id: "a1b2c3d4e5f6",
		profile: "home",
		vault: "Notes",
		path: "Kitchen/Bread.md",
		title: "Bread",
		headings: ["Baking"],
		line: 7,
		snippet: "A wetter dough ferments faster.",
		highlights: [[9, 14]],
		score: 0.8,
		relevance: "high",
		tags: ["baking"],
		modified: "2026-03-01T12:00:00Z",
		also_in: [],
		also_in_count: 0,
		nearly_same: [],
		nearly_same_count: 0,
		redactions: 0,
		explain: null,
		context: null,
		words: null,
		about: "",
		kind: "note",
		place: "",
		display: "Bread",
		open_url: "obsidian://open?vault=Notes&file=Kitchen%2FBread",
		dated: null,
		newer: "",
		found_by: "words",
		...change,
	};
}

export function response(results: SearchResult[], change: Partial<SearchResponse> = {}): SearchResponse {
	const told = {
		unanswered: [],
		warnings: [],
		notices: [],
		total_notes: results.length,
		next_offset: null,
		facets: [],
	};
	return { results, relevance: "high", took_ms: 6.2, pending_embeddings: 0, semantic: "used", ...told, ...change };
}

export function note(change: Partial<OfferedNote> = {}): OfferedNote {
	return {
		id: "0f0f0f0f0f0f",
		profile: "home",
		vault: "Notes",
		path: "Garden.md",
		title: "Garden",
		modified: "2026-03-01T12:00:00Z",
		tags: [],
		kind: "note",
		dated: null,
		...change,
	};
}

/** What a look at a profile's vaults found: nothing, but for `change`. */
export const onDisk = (change: Partial<OnDisk>): OnDisk => ({
	notes: 0,
	indexed: 0,
	left_out: 0,
	missing: 0,
	missing_paths: [],
	differing: 0,
	differing_paths: [],
	...change,
});

export function status(change: Partial<Status["profiles"][number]> = {}): Status {
	const progress = {
		phase: "idle" as const,
		scanned: 0,
		to_read: 0,
		read: 0,
		redacted: 0,
		failed: 0,
		chunked: 0,
		embedded: 0,
		to_embed: 0,
		eta_seconds: null,
		unread: 0,
	};
	const profile: Status["profiles"][number] = {
		id: "00000000000000a1",
		name: "home",
		colour: "#2a66b2",
		vaults: ["Notes"],
		notes: 3,
		chunks: 9,
		pending_embeddings: 0,
		state: "idle",
		done: 0,
		total: 0,
		eta_seconds: null,
		redactions: 0,
		redactions_done: 0,
		bytes_on_disk: 1024,
		on_disk: null,
		payloads: 0,
		kinds: [],
		files_waiting: 0,
		recognising: null,
		suggestion: null,
		reason: "",
		failures: [],
		progress,
		...change,
	};
	return {
		version: "0.1.0",
		instance: "a1",
		uptime_seconds: 1,
		model: "bundled",
		memory_bytes: 1,
		warnings: [],
		box: null,
		taken_port: null,
		command: "scrubjay",
		pending_embeddings: profile.pending_embeddings,
		profiles: [profile],
	};
}
