import { ApiError } from "./errors";
import type { ApiRequest, Method, Transport } from "./transport";
import type {
	AnswerReply,
	BackupReply,
	ClearAsk,
	ClearedReply,
	ClientReply,
	CredentialsReply,
	DecideAsk,
	FoldersReply,
	HistoryReply,
	KnownVaultReply,
	MapReply,
	ModelsReply,
	NoteReply,
	PageReply,
	PageSession,
	PairingBegun,
	PairingReply,
	PairingState,
	PartOfNote,
	PreviewAsk,
	PreviewReply,
	ProfileAsk,
	ProfileChange,
	ProfileReply,
	Proposal,
	ProtectAsk,
	ReadReply,
	ReviewDecideAsk,
	ReviewReply,
	SearchAsk,
	SearchEventReply,
	SearchResponse,
	Status,
	Suggestion,
	WalkReply,
} from "./wire";
import type { OfferedNote, Scope } from "./words";

/** More than the longest time that the settings let one answer of a language model take, and enough to write a large index anew. */
const PATIENT_SECONDS = 630;

/** What completes a filter of the query language. */
export type SuggestKind = "tag" | "folder" | "property" | "title";

/** Which proposals are wanted; what is null or left out does not matter. */
export interface ReviewQuery {
	kind?: Proposal["kind"] | null;
	/** About notes in or below it. */
	folder?: string | null;
	vault?: string | null;
	answer?: Proposal["answer"];
	limit?: number;
}

/**
 * The daemon's API, typed.
 *
 * Every method rejects with `ApiError`. Those that say "or null" resolve to null where the daemon lacks the endpoint
 * or does not let this client use it (403, 404, 405, 501), so that the panel hides what it cannot offer.
 */
export class Client {
	/** Called whenever nobody answered, or the token was refused, so that somebody may look after the connection. */
	onLost: () => void = () => undefined;

	constructor(private readonly transport: Transport) {}

	search(request: SearchAsk): Promise<SearchResponse> {
		return this.call("POST", "/v1/search", request);
	}

	/** What the notes themselves say to a question; no language model is asked. Or null. */
	answer(question: string, profiles: readonly string[] | undefined): Promise<AnswerReply | null> {
		return this.optional("POST", "/v1/answer", { question, ...(profiles ? { profiles } : {}) });
	}

	/** What the language model says that the user has named; without one, as `answer`. It takes its time. */
	askModel(question: string, profiles: readonly string[] | undefined): Promise<AnswerReply> {
		return this.call("POST", "/v1/ask", { question, ...(profiles ? { profiles } : {}) }, PATIENT_SECONDS);
	}

	/** A result was opened: remembered with the query that found it, where its profile keeps a history. */
	async opened(profile: string, query: string, path: string): Promise<void> {
		await this.call("POST", "/v1/opened", { profile, query, path });
	}

	/** The searches that are remembered, newest first; only those that seem to have found nothing of use. Or null. */
	async history(missed: boolean): Promise<SearchEventReply[] | null> {
		return (await this.optional<HistoryReply>("GET", `/v1/history?missed=${missed}`))?.events ?? null;
	}

	status(): Promise<Status> {
		return this.call("GET", "/v1/status");
	}

	async profiles(): Promise<ProfileReply[]> {
		return (await this.call<{ profiles: ProfileReply[] }>("GET", "/v1/profiles")).profiles;
	}

	/** The vaults that Obsidian knows on the daemon's computer, or null. */
	async knownVaults(): Promise<KnownVaultReply[] | null> {
		return (await this.optional<{ vaults: KnownVaultReply[] }>("GET", "/v1/vaults"))?.vaults ?? null;
	}

	/** The folders of a vault, or of a folder in it. */
	lookInto(root: string, below: string): Promise<FoldersReply> {
		return this.call("POST", "/v1/vaults/folders", { root, below });
	}

	createProfile(profile: ProfileAsk): Promise<ProfileReply> {
		return this.call("POST", "/v1/profiles", profile);
	}

	changeProfile(id: string, change: ProfileChange): Promise<ProfileReply> {
		return this.call("POST", `/v1/profiles/${encodeURIComponent(id)}`, change);
	}

	/** Remove a profile and its index; the notes stay. */
	async removeProfile(id: string): Promise<void> {
		await this.call("DELETE", `/v1/profiles/${encodeURIComponent(id)}`);
	}

	lock(id: string): Promise<ProfileReply> {
		return this.call("POST", `/v1/profiles/${encodeURIComponent(id)}/lock`, {});
	}

	/** Open a locked profile; without a passphrase, where the keyring has its key. */
	unlock(id: string, passphrase?: string): Promise<ProfileReply> {
		return this.call(
			"POST",
			`/v1/profiles/${encodeURIComponent(id)}/unlock`,
			passphrase === undefined ? {} : { passphrase },
		);
	}

	/** Encrypt a profile's database, change how it opens, or decrypt it. It is written anew, which takes a while. */
	protect(id: string, how: Omit<ProtectAsk, "profile_id">): Promise<ProfileReply> {
		return this.call("POST", `/v1/profiles/${encodeURIComponent(id)}/protection`, how, PATIENT_SECONDS);
	}

	/** Write a copy of a profile's database into the daemon's own folder. */
	backUp(id: string): Promise<BackupReply> {
		return this.call("POST", `/v1/profiles/${encodeURIComponent(id)}/backup`, {}, PATIENT_SECONDS);
	}

	/** The models on the daemon's computer, or null. */
	async models(): Promise<string[] | null> {
		return (await this.optional<ModelsReply>("GET", "/v1/models"))?.models ?? null;
	}

	/** Hold indexing, or let it go on. */
	async pause(profile: string, paused: boolean): Promise<void> {
		await this.call("POST", paused ? "/v1/pause" : "/v1/resume", { profile });
	}

	/** Where credentials sit, and about which of them the user has decided. */
	credentials(): Promise<CredentialsReply | null> {
		return this.optional("GET", "/v1/credentials");
	}

	/** Decide how a credential stands: done with, allowed, or open again. */
	async decide(request: DecideAsk): Promise<void> {
		await this.call("POST", "/v1/credentials", request);
	}

	/** Small decisions that would tidy the notes, a hundred at a time. Or null. */
	review(which: ReviewQuery): Promise<ReviewReply | null> {
		const wanted = Object.entries({ limit: 100, ...which }).filter(
			([, value]) => value !== null && value !== undefined,
		);
		return this.optional(
			"GET",
			`/v1/review?${new URLSearchParams(wanted.map(([name, value]) => [name, String(value)]))}`,
		);
	}

	/** Say yes, no or later to one of them, or take that back. */
	/** Refuses all that a program put forward and that waits; how many that were. */
	async clearSuggested(request: ClearAsk): Promise<number> {
		return (await this.call<ClearedReply>("POST", "/v1/review/clear", request)).count;
	}

	async answerReview(request: ReviewDecideAsk): Promise<void> {
		await this.call("POST", "/v1/review", request);
	}

	/** What yes would change. */
	previewReview(request: PreviewAsk): Promise<PreviewReply> {
		return this.call("POST", "/v1/review/preview", request);
	}

	/** Clusters of notes that link to each other, and the notes between them. Or null. */
	reviewMap(): Promise<MapReply | null> {
		return this.optional("GET", "/v1/review/map");
	}

	async suggest(kind: SuggestKind, prefix: string): Promise<Suggestion[] | null> {
		const query = new URLSearchParams({ kind, prefix });
		return (await this.optional<{ suggestions: Suggestion[] }>("GET", `/v1/suggest?${query}`))?.suggestions ?? null;
	}

	async recent(limit: number): Promise<OfferedNote[] | null> {
		return (await this.optional<{ notes: OfferedNote[] }>("GET", `/v1/recent?limit=${limit}`))?.notes ?? null;
	}

	/** Notes related to the note at `path`; with `line`, to the section that the line is in. */
	async related(vault: string, path: string, line?: number, limit?: number): Promise<OfferedNote[] | null> {
		const query = new URLSearchParams({
			vault,
			path,
			...(line === undefined ? {} : { line: String(line) }),
			...(limit === undefined ? {} : { limit: String(limit) }),
		});
		return (await this.optional<{ notes: OfferedNote[] }>("GET", `/v1/related?${query}`))?.notes ?? null;
	}

	/** What is at most two links away from the note that holds the chunk `id`. */
	walk(id: string, limit: number): Promise<WalkReply | null> {
		return this.optional(
			"GET",
			`/v1/traverse?${new URLSearchParams({ id, depth: "2", deep: "true", limit: String(limit) })}`,
		);
	}

	/** The note at `path` that holds the chunk `id`. */
	note(id: string, profile: string, path: string): Promise<NoteReply | null> {
		return this.optional("GET", `/v1/notes/${id}?${new URLSearchParams({ profile, path })}`);
	}

	/** A page of a PDF as a picture; null where there is none, or this client may not have it. */
	page(id: string, profile: string, path: string, page: string): Promise<PageReply | null> {
		return this.optional("GET", `/v1/notes/${id}/page?${new URLSearchParams({ profile, path, page })}`);
	}

	/** The note that a name or the end of a path means; null where none, or several, are called so. */
	async noteCalled(name: string, profile: string): Promise<PartOfNote | null> {
		const reply = await this.optional<ReadReply>("POST", "/v1/read", { notes: [name], profiles: [profile] });
		return reply?.notes[0] ?? null;
	}

	/** The lines around one of the note at `path`, credentials taken out; null where it has none, or several notes end so. */
	async linesAround(path: string, profile: string, line: number): Promise<PartOfNote | null> {
		const reply = await this.optional<ReadReply>("POST", "/v1/read", {
			notes: [path],
			profiles: [profile],
			around: line,
			max_tokens: 1_000,
		});
		return reply?.notes[0] ?? null;
	}

	/** Have the daemon look at the vaults of a profile again; of all, without a name. */
	async index(profile?: string): Promise<void> {
		await this.call("POST", "/v1/index", profile === undefined ? {} : { profile });
	}

	async clients(): Promise<ClientReply[] | null> {
		return (await this.optional<{ clients: ClientReply[] }>("GET", "/v1/clients"))?.clients ?? null;
	}

	async revoke(id: string): Promise<void> {
		await this.call("DELETE", `/v1/clients/${encodeURIComponent(id)}`);
	}

	/** Have one's own token revoked. */
	async revokeSelf(): Promise<void> {
		await this.call("DELETE", "/v1/clients/self");
	}

	/** The browsers that were let in to the search page. */
	async sessions(): Promise<PageSession[] | null> {
		return (await this.optional<{ sessions: PageSession[] }>("GET", "/v1/sessions"))?.sessions ?? null;
	}

	/** End the session of a browser, at once. */
	async endSession(id: string): Promise<void> {
		await this.call("DELETE", `/v1/sessions/${encodeURIComponent(id)}`);
	}

	/** Pairing requests that wait for this user's decision. */
	async pairings(): Promise<PairingReply[] | null> {
		return (await this.optional<{ pairings: PairingReply[] }>("GET", "/v1/pairing"))?.pairings ?? null;
	}

	async refuse(id: string): Promise<void> {
		await this.call("POST", `/v1/pairing/${id}`, { approve: false });
	}

	/** Ask to be let in. The user compares `code` with the one that the daemon shows. */
	requestPairing(client: string, vault: string, scopes: readonly Scope[]): Promise<PairingBegun> {
		return this.call("POST", "/v1/pairing", { client, vault, scopes });
	}

	/** Approve one's own request by proving to be the same user as the daemon. */
	async provePairing(id: string, proof: string): Promise<void> {
		await this.call("POST", `/v1/pairing/${id}/proof`, { proof });
	}

	/** How the request stands; the token comes exactly once. */
	collectPairing(id: string, secret: string): Promise<PairingState> {
		return this.call("POST", `/v1/pairing/${id}/collect`, { secret });
	}

	/** Resolves when the stream ends; null where the host cannot stream. */
	events(onEvent: (name: string) => void, signal: AbortSignal): Promise<void> | null {
		return this.transport.events?.("/v1/events", onEvent, signal) ?? null;
	}

	private async call<Reply>(method: Method, path: string, body?: unknown, seconds?: number): Promise<Reply> {
		const request: ApiRequest = {
			method,
			path,
			...(body === undefined ? {} : { body }),
			...(seconds === undefined ? {} : { seconds }),
		};
		const reply = await this.transport.send(request).catch((error: unknown) => {
			this.onLost();
			throw error;
		});
		if (reply.status === 401) this.onLost();
		if (reply.status < 200 || reply.status >= 300) throw ApiError.of(reply);
		return reply.body as Reply;
	}

	private async optional<Reply>(method: Method, path: string, body?: unknown): Promise<Reply | null> {
		try {
			return await this.call<Reply>(method, path, body);
		} catch (error) {
			if (error instanceof ApiError && error.isMissing) return null;
			throw error;
		}
	}
}
