/** What travels between the panel and the daemon. Mirrors `daemon/api/schemas.py`; nothing here has behaviour. */

export type Mode = "hybrid" | "lexical" | "semantic";
export type Group = "note" | "chunk";
export type Tier = "high" | "medium" | "low";

/** Start and end (exclusive) in Unicode code points. */
export type Span = readonly [start: number, end: number];

export interface SearchRequest {
	query: string;
	/** Names. Left out: every profile that this client may see. */
	profiles?: string[];
	limit: number;
	mode: Mode;
	group: Group;
	explain: boolean;
	/** The user is still typing: the last word may be unfinished. */
	typing: boolean;
}

export interface ElsewherePlace {
	profile: string;
	vault: string;
	path: string;
}

/** What one signal gave a result. The points of all parts sum to the result's score. */
export interface ScorePart {
	signal: "lexical" | "semantic" | "neighbours" | "completeness" | "links" | "graph" | "recency" | "ladder" | "importance";
	points: number;
	/** 1-based place in that leg; null: the leg did not find it. */
	rank: number | null;
	/** BM25 of the lexical leg, cosine distance of the semantic one. */
	raw: number | null;
}

export interface SearchResult {
	/** First 12 hex digits of the chunk's digest. */
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	headings: string[];
	/** 1-based, in the file on disk. */
	line: number;
	/** Plain text, never markup. */
	snippet: string;
	highlights: Span[];
	score: number;
	relevance: Tier;
	tags: string[];
	/** RFC 3339. */
	modified: string;
	also_in: ElsewherePlace[];
	/** How many credentials were taken out of this note. */
	redactions: number;
	explain?: ScorePart[] | null;
}

export interface SearchResponse {
	results: SearchResult[];
	/** Of the whole answer: "low" says that nothing here is likely what was meant. */
	relevance: Tier;
	took_ms: number;
	/** Passages that meaning can't find yet. */
	pending_embeddings: number;
	semantic: "used" | "not-asked" | "unavailable";
	/** Profiles that did not answer in time. */
	unanswered: string[];
	warnings: QueryWarning[];
}

/** A part of the query that was read in another way than it was written. */
export interface QueryWarning {
	code: string;
	message: string;
}

/** A problem of RFC 9457, with the daemon's own `code`. */
export interface Problem {
	type?: string;
	title?: string;
	status: number;
	detail?: string;
	code: string;
}

/** What the daemon is doing for one profile. */
export interface ProfileStatus {
	name: string;
	colour: string | null;
	vaults: string[];
	notes: number;
	chunks: number;
	pending_embeddings: number;
	state: "idle" | "scanning" | "reading" | "embedding" | "paused" | "locked" | "failed";
	/** Of `total`: notes while reading, passages while embedding. */
	done: number;
	total: number;
	eta_seconds: number | null;
	redactions: number;
	bytes_on_disk: number;
	/** Why it is locked or failed; "" otherwise. */
	reason: string;
	failures: Failure[];
}

/** A file that was left out, and why. */
export interface Failure {
	vault: string;
	path: string;
	code: string;
	reason: string;
}

export interface Status {
	version: string;
	model: string;
	memory_bytes: number;
	warnings: string[];
	profiles: ProfileStatus[];
	pending_embeddings: number;
}

export interface ProfileInfo {
	name: string;
	colour: string | null;
	vaults: VaultInfo[];
	federate: boolean;
	encrypted: boolean;
}

export interface VaultInfo {
	name: string;
	allow: string[];
	exclude: string[];
}

export interface Credential {
	profile: string;
	vault: string;
	path: string;
	line: number;
	rule: string;
	/** What the rule looks for, in words. */
	about: string;
}

/** A note that is offered rather than found. */
export interface NoteRef {
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	headings?: string[];
	line?: number;
	modified: string;
	tags: string[];
	/** Why it is offered, the weightiest first; see LINKED for those that speak of a link. */
	reasons?: string[];
	relevance?: Tier;
	/** Neither note links to the other, and they are so much alike that a link may be missing. */
	unlinked?: boolean;
}

/** Reasons that say that one note links to the other. */
export const LINKED: readonly string[] = ["linked from here", "links here"];

/** A note that a walk along links came to. */
export interface WalkStep {
	note: NoteRef;
	/** 0 for the note that the walk began with. */
	hop: number;
	/** Path of the note from which it was reached. */
	via: string | null;
}

/** A walk along links from a note: the nearest first. */
export interface Walk {
	steps: WalkStep[];
	/** Steps beyond the limit. */
	omitted: number;
}

export interface Passage {
	headings: string[];
	line: number;
	text: string;
}

/** A note as the index holds it: credentials taken out. */
export interface NoteView {
	profile: string;
	vault: string;
	path: string;
	title: string;
	tags: string[];
	modified: string;
	redactions: number;
	passages: Passage[];
}

export interface Suggestion {
	value: string;
	notes?: number;
}

export interface ClientInfo {
	id: string;
	name: string;
	scopes: string[];
	/** Names, of those that this client may see itself. */
	profiles: string[];
	all_profiles: boolean;
	created: string;
	last_used: string | null;
	vault: string | null;
	/** The command line of this installation's owner. */
	own: boolean;
}

export interface PairingRequest {
	id: string;
	client: string;
	code: string;
	vault: string | null;
	scopes: string[];
	/** Those that hold the vault, as a proposal. */
	profiles: string[];
}

/** A pairing request just made, with the secret that collects its token. */
export interface PairingAsked {
	id: string;
	code: string;
	secret: string;
}

/** The answer to a poll of one's own pairing request. */
export interface PairingState {
	state: "waiting" | "approved" | "refused";
	token?: string | null;
}

/** What the page may do, given once for a ticket and again for the session's cookie. */
export interface Session {
	client: string;
	scopes: string[];
	profiles: string[];
	/** Comes with the ticket alone; the page keeps it. */
	key?: string | null;
}
