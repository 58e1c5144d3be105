/**
 * What travels between the panel and the daemon. Written by `make wire` from daemon/server/endpoints; not to be edited.
 * Texts of notes are plain text, never markup; positions in them count Unicode code points; times are RFC 3339.
 */

/** The work was queued for these profiles. */
export interface Accepted {
	profiles: string[];
}

/** Words of a note, as they stand in the passage, and where. */
export interface AnswerQuote {
	text: string;
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	headings: string[];
	line: number;
	modified: string;
	dated: string | null;
}

/** An answer. `nothing`: the notes don't say. */
export interface AnswerReply {
	status: "answered" | "nothing";
	sentences: AnswerSentence[];
	way: "extract" | "model";
	model: string;
	sent_to: string;
	notice: string;
	unanswered: Unanswered[];
}

/**
 * One sentence of an answer.
 * verified: it has quotations, and all that it quotes stands in the notes, word for word. Whether a sentence of
 * a
 * model follows from its quotations is for the reader to judge.
 */
export interface AnswerSentence {
	text: string;
	verified: boolean;
	quotes: AnswerQuote[];
	own: boolean;
}

/** What was written, or taken back. run: what `undo` names it by; "" where nothing was written. */
export interface ApplyReport {
	keys: string[];
	notes: string[];
	refused: NotWritten[];
	run: string;
}

/** A copy of a profile's database: where it lies on the daemon's computer, and its size. */
export interface BackupReply {
	file: string;
	bytes: number;
}

/**
 * By what the processes that read files beside notes are closed to the world.
 * Measures are `landlock`, `seccomp`, `resource-limits`, `job-object`, and `file-ban` (on files and network),
 * which is
 * missing where a system has none that is used here.
 */
export interface BoxStatus {
	measures: string[];
	missing: string[];
	required: boolean;
}

/** A note without which parts of the graph would not hang together. */
export interface Bridge {
	note: MapNote;
	profile: string;
	parts: number;
	joins: number[];
}

/** One change of one note, as Obsidian can make it and as a patch can. */
export interface Change {
	action: "add-tags" | "append" | "move" | "remove-property" | "remove-tags" | "replace" | "set-property";
	vault: string;
	path: string;
	line?: number;
	column?: number;
	before?: string;
	after?: string;
	tags?: readonly string[];
	to?: string;
	name?: string;
	value?: string;
}

/** A passage that an edit brought, or that is of a new note, as it is now. */
export interface ChangedPassage {
	id: string;
	headings: string[];
	line: number;
	text: string;
	place: string;
	changed: string;
}

/** A note by the id of a passage, its path, or the start of its name; and since when. */
export interface ChangesAsk {
	note: string;
	since: string;
	profile?: string | null;
}

/** What is new in a note since a time, as far as Scrubjay saw its edits; of what went no text is kept. */
export interface ChangesReply {
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	modified: string;
	passages: ChangedPassage[];
	gone: string[];
	kept: number;
	kind: string;
	dated: string | null;
}

/** Check one profile, or all that this client may see. repair: mend what is wrong; reading goes on afterwards. */
export interface CheckAsk {
	profile?: string | null;
	repair?: boolean;
}

/** Every profile that was checked. */
export interface CheckReply {
	profiles: CheckedProfile[];
	warnings: string[];
}

/** What is wrong with one profile's index now, and what was done about it. */
export interface CheckedProfile {
	profile: string;
	problems: FoundProblem[];
	did: string[];
	closed: string;
}

/** A quotation of an answer, and whether one of the notes it cites says it. */
export interface CheckedQuote {
	quote: string;
	answer_line: number;
	ids: string[];
	verdict: "altered" | "no-source" | "not-found" | "too-short" | "verified";
	reason: string;
	profile: string;
	vault: string;
	path: string;
	line: number | null;
	says: string;
	modified: string | null;
	dated: string | null;
}

/** The passage wanted: its id, or the first six or more digits of it. */
export interface ChunkAsk {
	chunk_id: string;
}

/** One passage as indexed: credentials taken out. */
export interface ChunkReply {
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	headings: string[];
	line: number;
	end_line: number;
	text: string;
	tags: string[];
	modified: string;
	redactions: number;
	also_in: PlaceReply[];
	also_in_count: number;
	kind: string;
	place: string;
	was: string;
	dated: string | null;
}

/** Passages wanted, 1 to 50. */
export interface ChunksAsk {
	/** Ids or short ids (6 to 12 hex digits), separated by commas. */
	ids: string;
	profile?: string | null;
}

/** Several passages, in the order asked for; ids that nothing visible has are named in `missing`. */
export interface ChunksReply {
	chunks: ChunkReply[];
	missing: string[];
}

/** A source of which nothing is quoted where the answer cites it. */
export interface CitedSource {
	id: string;
	answer_line: number;
}

/** Whose proposals to refuse. */
export interface ClearAsk {
	by?: string | null;
	profile?: string | null;
}

/** Whose searches to forget: of one profile, or of all that this client may see. */
export interface ClearHistoryAsk {
	profile?: string | null;
}

/** How many searches were forgotten. */
export interface Cleared {
	forgotten: number;
}

/** How many were refused. */
export interface ClearedReply {
	count: number;
}

/** A new client. It sees only the profiles named. */
export interface ClientAsk {
	name: string;
	profiles: readonly string[] | "all";
	scopes?: readonly ("journal" | "manage" | "search")[];
}

/** What to change of a client; what is left out stays. */
export interface ClientChange {
	client_id: string;
	name?: string | null;
	scopes?: readonly ("journal" | "manage" | "search")[] | null;
	profiles?: readonly string[] | "all" | null;
}

/** One client, by its id. */
export interface ClientId {
	client_id: string;
}

/** A client, without its token. */
export interface ClientReply {
	id: string;
	name: string;
	scopes: ("journal" | "manage" | "search")[];
	profiles: string[];
	all_profiles: boolean;
	created: string;
	last_used: string | null;
	vault: string | null;
	own: boolean;
}

/** The clients that this client may manage. */
export interface ClientsReply {
	clients: ClientReply[];
}

/** Notes that link to each other more than to others. */
export interface Cluster {
	id: number;
	profile: string;
	name: string;
	size: number;
	notes: MapNote[];
}

/** How many links go between two clusters, either way. */
export interface ClusterLink {
	one: number;
	other: number;
	count: number;
}

/** A prompt, to be answered with what the notes say about it. */
export interface ContextAsk {
	prompt: string;
	profiles?: readonly string[] | null;
	max_tokens?: number;
	unasked?: boolean;
}

/** A Markdown block with its sources. The same index and prompt give the same bytes. */
export interface ContextReply {
	markdown: string;
	tokens: number;
	sources: string[];
	silent: string;
}

/** Where a credential sits; never the credential. Done: hidden as before. Allowed, everywhere: it stands. */
export interface Credential {
	profile: string;
	vault: string;
	path: string;
	line: number;
	column: number;
	rule: string;
	about: string;
	standing: "allowed" | "done" | "everywhere" | "open";
	place: string;
}

/** A page of the credentials of one profile, or of all that a client sees: those that wait, then the decided. */
export interface CredentialsAsk {
	profile?: string | null;
	offset?: number;
	limit?: number;
}

/** A page of the credentials that wait to be seen to, and of those about which the user has decided. */
export interface CredentialsReply {
	credentials: Credential[];
	decided: Credential[];
	may_decide: boolean;
	unanswered: Unanswered[];
	waiting: number;
	next_offset: number | null;
}

/** What one day has. */
export interface DayReply {
	day: string;
	notes: NoteOfDay[];
}

/** How a credential is to stand; "open" takes back what was decided. Without a column: all on that line. */
export interface DecideAsk {
	/** The note's path in the vault. */
	path: string;
	line: number;
	standing: "allowed" | "done" | "everywhere" | "open";
	column?: number | null;
	profile?: string | null;
	vault?: string | null;
}

/** All places of the note that this concerns: the same values on other lines, too. */
export interface DecidedReply {
	credentials: Credential[];
}

/** Nothing to add. */
export interface Done {
	done: boolean;
}

/** What is to be done to every note that a query finds by its words and filters. */
export interface EditAsk {
	query: string;
	edit: ResultEdit;
	profiles?: readonly string[] | null;
}

/**
 * Every note that was found is edited, refused with the reason, or stays as it is.
 * in_links: how often a text that is replaced stands in the target of a link, which leads elsewhere then.
 * left_lines: lines that hold it and are left alone, since a credential is hidden on them.
 */
export interface EditReply {
	edited: NoteEdit[];
	refused: NotWritten[];
	unchanged: number;
	in_links: number;
	left_lines: number;
	unanswered: Unanswered[];
}

/** The same edit, to be written into the notes that were shown, where they are as they were. */
export interface EditWriteAsk {
	query: string;
	edit: ResultEdit;
	profiles?: readonly string[] | null;
	shown: readonly string[];
}

/** One entry. */
export interface EntryAsk {
	entry_id: string;
}

/** An entry of a journal, credentials taken out. */
export interface EntryReply {
	id: string;
	profile: string;
	saved: string;
	first_saved: string;
	author: string;
	text: string;
	tags: string[];
	redactions: number;
	replaced_by: string;
	replaced_at: string | null;
	valid_from: string | null;
	valid_to: string | null;
}

/** A passage, and the question that its sentences are to answer. */
export interface ExcerptAsk {
	id: string;
	query: string;
}

/** The sentences of a passage that answer best, at most two, in the order of the text. */
export interface ExcerptReply {
	sentences: SentenceReply[];
	way: "meaning" | "words";
	profile: string;
	vault: string;
	path: string;
}

/** A search, and the note that somebody expected it to find. */
export interface ExplainAsk {
	query: string;
	path: string;
	vault?: string | null;
	profiles?: readonly string[] | null;
	limit?: number;
	mode?: "hybrid" | "lexical" | "semantic";
	fusion?: "convex" | "rrf" | null;
}

/** The commonest values of a facet, the most notes first. */
export interface Facet {
	name: string;
	values: FacetValue[];
}

/** A value, and how many of all matching notes have it. */
export interface FacetValue {
	value: string;
	count: number;
}

/** A file that was left out, and why. */
export interface Failure {
	vault: string;
	path: string;
	code: string;
	reason: string;
}

/** What would become of one note. */
export interface FileDiff {
	vault: string;
	path: string;
	to: string;
	diff: string;
	digest: string;
}

/**
 * Which files of the allowed folders are found, and of which the text is read. All others are found by name.
 * Files follow the same allowlist and exclusions as notes.
 */
export interface FileSettings {
	kinds?: readonly ("base" | "book" | "canvas" | "code" | "document" | "drawing" | "image" | "media" | "notebook" | "pdf" | "sheet" | "slides" | "text" | "web")[];
	code?: readonly string[];
	attachments?: boolean;
	ocr?: boolean;
}

/** Which folder of which vault to look into; `below` is relative to `root`, "." the vault itself. */
export interface FolderLook {
	root: string;
	below?: string;
}

/** A folder, how many notes lie in and below it, and whether there are folders in it. */
export interface FolderReply {
	name: string;
	notes: number;
	has_folders: boolean;
}

/** What is in a folder of a vault. Names alone are read; no note is opened. */
export interface FoldersReply {
	folders: FolderReply[];
	loose_notes: number;
	complete: boolean;
	excluded_elsewhere: string[];
}

/** Of which profile, and of which note (without: of all), to forget that it was opened from results. */
export interface ForgetOpenedAsk {
	profile?: string | null;
	path?: string | null;
}

/** A word of the query that a note says in another form alone, or that was taken for another: as typed, as said. */
export interface FormSaid {
	typed: string;
	said: string;
}

/** One thing that is wrong with an index. */
export interface FoundProblem {
	code: string;
	about: string;
}

/** Who answers here. `proof` is HMAC-SHA256 of the challenge, see daemon/server/access/identity.py. */
export interface Health {
	name: string;
	version: string;
	instance: string;
	proof?: string | null;
}

/** Who answers? `challenge`: 32 to 128 lower-case hex digits, to be proved with. */
export interface HealthAsk {
	challenge?: string | null;
}

/** Bytes in memory, and what holds them. profile: whose they are; "" where they are no profile's. */
export interface HeldMemory {
	what: string;
	bytes: number;
	profile: string;
}

/** A note that is hidden. query: that it is hidden from, credentials taken out; "": from every search. */
export interface HiddenNoteReply {
	profile: string;
	vault: string;
	path: string;
	query: string;
	asked: string;
	at: string;
}

/** The notes that are hidden, those hidden last first in each profile. */
export interface HiddenReply {
	notes: HiddenNoteReply[];
}

/** The note that is to be hidden. query: from this query alone; "": from every search. */
export interface HideAsk {
	/** The note's path in the vault. */
	path: string;
	profile?: string | null;
	vault?: string | null;
	query?: string;
}

/**
 * Which searches to list; `slow`: only those slower than `slow_search_ms`; `missed`: only those that seem to
 * have found nothing of use.
 */
export interface HistoryAsk {
	profile?: string | null;
	limit?: number;
	slow?: boolean;
	missed?: boolean;
}

/** Remembered searches, newest first. */
export interface HistoryReply {
	events: SearchEventReply[];
}

/**
 * Look at the vaults again: of one profile, or of all open ones that this client may see.
 * full: read every note anew. forget_missing: forget notes that stay in the index because so many vanished at
 * once.
 */
export interface IndexAsk {
	profile?: string | null;
	full?: boolean;
	forget_missing?: boolean;
}

/** One field that can't be accepted. */
export interface Invalid {
	field: string;
	reason: string;
}

/** Something to remember. Without `profile`: in the one profile that this client may see. */
export interface JournalAsk {
	text: string;
	profile?: string | null;
	tags?: readonly string[];
	replaces?: string | null;
	valid_from?: string | null;
	valid_to?: string | null;
}

/** A page of entries, newest first. */
export interface JournalReply {
	entries: EntryReply[];
	total: number;
	next_offset: number | null;
	unanswered: Unanswered[];
}

/** How many proposals of a kind have the answer that was asked for, whatever the filters. */
export interface KindCount {
	kind: "broken-link" | "dead-end" | "empty" | "intake" | "long" | "missing-link" | "near-copy" | "orphan" | "replaced" | "stale" | "stub" | "suggested" | "tag-forms" | "untagged";
	count: number;
}

/** How much is indexed of the files of one kind, notes aside. */
export interface KindStatus {
	kind: string;
	files: number;
	parts: number;
	passages: number;
	bytes: number;
	unread: number;
	scans: number;
}

/** A vault that Obsidian has opened, and the profile that it is in; "" where it is in none. */
export interface KnownVaultReply {
	root: string;
	name: string;
	profile: string;
}

/** The vaults that Obsidian knows on this computer, the one opened last first. */
export interface KnownVaultsReply {
	vaults: KnownVaultReply[];
	home: string;
}

/** A link as written in the note. */
export interface LinkReply {
	target: string;
	line: number;
	text: string;
}

/** Entries saved from `since` on and before `until`. */
export interface LogAsk {
	profile?: string | null;
	since?: string | null;
	until?: string | null;
	limit?: number;
	offset?: number;
}

/** Whose links to draw. */
export interface MapAsk {
	profile?: string | null;
	/** Most clusters. */
	limit?: number;
}

/** A note on the map. */
export interface MapNote {
	vault: string;
	path: string;
	title: string;
	links: number;
}

/** The clusters and bridges of the links of the profiles that the client sees. */
export interface MapReply {
	clusters: Cluster[];
	links: ClusterLink[];
	bridges: Bridge[];
	unlinked: number;
	unanswered: Unanswered[];
	waiting: number;
}

/** What holds the daemon's memory, which is the sum of it, and what its processes have, which end when idle. */
export interface MemoryReply {
	held: HeldMemory[];
	processes: HeldMemory[];
}

/** A model that would read a profile's notes better than its own. */
export interface ModelSuggestion {
	languages: string[];
	share: number;
	model: string;
	megabytes: number;
	memory: number;
	licence: string;
	seconds: number | null;
	is_here: boolean;
	command: string;
	text: string;
}

/** The models on this computer, by the names that profiles call them; "bundled" came with the program. */
export interface ModelsReply {
	models: string[];
}

/** A name that means no note. */
export interface NoSuchNote {
	name: string;
	reason: string;
}

/** What could not be written, or taken back, and why. */
export interface NotWritten {
	path: string;
	keys: string[];
	reason: string;
}

/** The note that holds a passage; of several that do, the one of this profile or path. */
export interface NoteAsk {
	chunk_id: string;
	profile?: string | null;
	path?: string | null;
}

/** What becomes of one note. key: what it is named by to be written as it was shown. */
export interface NoteEdit {
	key: string;
	profile: string;
	changes: Change[];
	file: FileDiff;
}

/** What became of one note in one search. */
export interface NoteExplanation {
	stage: "cut" | "filtered" | "folded" | "hidden" | "locked" | "not-found" | "not-indexed" | "outranked" | "shown" | "unreadable";
	message: string;
	remedy: string;
	rank: number | null;
	parts: ScorePart[];
}

/** A note on a day. */
export interface NoteOfDay {
	note: NoteRef;
	occasion: "created" | "daily-note" | "modified";
}

/** A note that is offered rather than found. `id` is that of its first or most fitting passage. */
export interface NoteRef {
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	modified: string;
	tags: string[];
	kind: string;
	dated: string | null;
}

/** A note as the index holds it: credentials taken out. */
export interface NoteReply {
	profile: string;
	vault: string;
	path: string;
	title: string;
	tags: string[];
	modified: string;
	redactions: number;
	passages: Passage[];
	links: LinkReply[];
	kind: string;
}

/** Notes that pass a filter. */
export interface NotesAsk {
	/** `path:Projects tag:recipe`; or empty. */
	filter?: string;
	limit?: number;
	offset?: number;
	profile?: string | null;
}

/** A page of a list of notes, newest first; best first where the filter has words, too. */
export interface NotesReply {
	notes: NoteRef[];
	total: number;
	next_offset: number | null;
	order: "best" | "newest";
	warnings: string[];
	unanswered: Unanswered[];
}

/** A request that says nothing more than its path. */
export type Nothing = Record<string, never>;

/**
 * Something about the answer that stands before its results.
 * words: as typed: those that no note has, or those that were taken for others. query: for `mended`, the query
 * that
 * was searched; the same request with `mend` off searches the one that was typed. For `offered`, one with near
 * words
 * in the place of words that no note has.
 */
export interface Notice {
	code: "absent-password" | "absent-words" | "dismissed" | "hidden" | "mended" | "nothing-asked" | "offered" | "only-excluded" | "other-language" | "unfinished" | "unread";
	text: string;
	words: string[];
	query: string;
}

/** What the last look at the whole vaults found: what may be read, and what became of it. */
export interface OnDisk {
	notes: number;
	indexed: number;
	left_out: number;
	missing: number;
	missing_paths: string[];
	differing: number;
	differing_paths: string[];
}

/** A result of a search was opened: which query found it, as it was mended, and the path that the result told. */
export interface OpenedAsk {
	profile: string;
	query: string;
	path: string;
}

/** One of the things that can be said yes to: a tag, a link, a folder. `id` is unique within its proposal. */
export interface Option {
	id: string;
	label: string;
	changes: Change[];
	chosen: boolean;
	score: number;
}

/** Another note that a proposal names. */
export interface Other {
	vault: string;
	path: string;
	title: string;
	line: number;
	score: number;
}

/** A page of a PDF: the one that a passage stands on, or another of the same file. */
export interface PageAsk {
	chunk_id: string;
	profile?: string | null;
	path?: string | null;
	page?: number | null;
	/** In pixels. */
	width?: number;
}

/** A page as a picture. It is drawn from the file, and so has NOT been through the credential filter. */
export interface PageReply {
	page: number;
	png: string;
}

/** A browser that was let in. */
export interface PageSession {
	id: string;
	client: string;
	opened: string;
	last_used: string;
	this: boolean;
}

/** A program asks to be let in. `vault` is the vault's folder or name; its profile is what the client will see. */
export interface PairingAsk {
	client: string;
	vault?: string | null;
	scopes?: readonly ("journal" | "manage" | "search")[];
}

/** Show `code` to the user, keep `secret`, and collect the token with it. */
export interface PairingBegun {
	id: string;
	code: string;
	secret: string;
	seconds: number;
}

/** The user's word. Without `profiles`: those that hold the asker's vault; without `scopes`: what was asked for. */
export interface PairingDecision {
	id_or_code: string;
	approve: boolean;
	profiles?: readonly string[] | "all" | null;
	scopes?: readonly ("journal" | "manage" | "search")[] | null;
}

/** HMAC-SHA256 over the request's id with the bytes of `pairing.key`, as hex. */
export interface PairingProof {
	request_id: string;
	proof: string;
}

/** A request that waits for the user. */
export interface PairingReply {
	id: string;
	client: string;
	code: string;
	vault: string | null;
	scopes: ("journal" | "manage" | "search")[];
	profiles: string[];
}

/** The secret that came when the request was made. */
export interface PairingSecret {
	request_id: string;
	secret: string;
}

/** How a request stands; the token comes once. */
export interface PairingState {
	state: "approved" | "refused" | "waiting";
	token?: string | null;
}

/** What waits for the user. */
export interface PairingsReply {
	pairings: PairingReply[];
}

/** Some or all lines of a note: credentials taken out. */
export interface PartOfNote {
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	tags: string[];
	modified: string;
	redactions: number;
	passages: Passage[];
	lines: number;
	next_line: number | null;
	lines_left: number;
	was: string;
	kind: string;
	dated: string | null;
}

/** One chunk of a note. */
export interface Passage {
	id: string;
	headings: string[];
	line: number;
	text: string;
	place: string;
}

/** Another note that holds the same text, or nearly. */
export interface Place {
	profile: string;
	vault: string;
	path: string;
}

/** Where a text stands. */
export interface PlaceReply {
	profile: string;
	vault: string;
	path: string;
}

/** What yes would change. */
export interface PreviewAsk {
	/** One profile, not all. */
	profile: string;
	/** A proposal's key. */
	key: string;
	chosen?: readonly string[] | null;
}

/** The changes, and the notes as they would be. `refused` says why nothing can be changed, in a sentence. */
export interface PreviewReply {
	changes: Change[];
	files: FileDiff[];
	refused: string;
}

/** Problem details (RFC 9457). Programs switch on `code`, people read `detail`. */
export interface Problem {
	type: string;
	title: string;
	status: number;
	detail: string;
	code: string;
	errors?: Invalid[];
}

/** A new profile. */
export interface ProfileAsk {
	name: string;
	vaults: readonly VaultAsk[];
	colour?: string | null;
}

/**
 * What to change of a profile; what is left out stays.
 * folders_revision: that of the reply whose vaults were changed. Where somebody has changed them since, 409
 * `folders-changed`; without it, all that is excluded stays so, and what others have added or taken away since
 * the
 * daemon last looked.
 */
export interface ProfileChange {
	profile_id: string;
	name?: string | null;
	vaults?: readonly VaultAsk[] | null;
	colour?: string | null;
	federate?: boolean | null;
	files?: FileSettings | null;
	model?: string | null;
	folders_revision?: string | null;
	filter_groups?: readonly ("hashes" | "identity" | "payment")[] | null;
}

/** One profile, or (without `profile`) all that this client may see. */
export interface ProfileChoice {
	profile?: string | null;
}

/** One profile, by its id. */
export interface ProfileId {
	profile_id: string;
}

/** One profile. */
export interface ProfileReply {
	id: string;
	name: string;
	colour: string;
	vaults: VaultReply[];
	federate: boolean;
	encrypted: boolean;
	model: string;
	protection: "keyring" | "none" | "passphrase";
	filter_groups: string[];
	locked: boolean;
	files: FileSettings;
	server: string;
	folders_revision: string;
}

/** What the daemon does for one profile, and how much it holds. */
export interface ProfileStatus {
	id: string;
	name: string;
	colour: string;
	vaults: string[];
	state: "away" | "embedding" | "failed" | "idle" | "locked" | "paused" | "reading" | "scanning";
	done: number;
	total: number;
	eta_seconds: number | null;
	notes: number;
	chunks: number;
	pending_embeddings: number;
	redactions: number;
	bytes_on_disk: number;
	failures: Failure[];
	reason: string;
	progress: ProgressReport;
	on_disk: OnDisk | null;
	redactions_done: number;
	payloads: number;
	kinds: KindStatus[];
	files_waiting: number | null;
	recognising: Recognising | null;
	suggestion: ModelSuggestion | null;
}

/** The profiles that this client may see. */
export interface ProfilesReply {
	profiles: ProfileReply[];
}

/** One profile's progress since its last scan began. Counts are of notes, but for the two that say chunks. */
export interface ProgressReport {
	phase: "embedding" | "idle" | "paused" | "reading" | "scanning";
	scanned: number;
	to_read: number;
	read: number;
	redacted: number;
	failed: number;
	chunked: number;
	embedded: number;
	to_embed: number;
	eta_seconds: number | null;
	unread: number;
}

/** One small decision. Without options it is a hint: yes says that it was seen to. */
export interface Proposal {
	key: string;
	kind: "broken-link" | "dead-end" | "empty" | "intake" | "long" | "missing-link" | "near-copy" | "orphan" | "replaced" | "stale" | "stub" | "suggested" | "tag-forms" | "untagged";
	profile: string;
	vault: string;
	path: string;
	title: string;
	line: number;
	quote: string;
	detail: string;
	by: string;
	others: Other[];
	scores: Score[];
	options: Option[];
	strength: number;
	answer: "done" | "later" | "no" | "open" | "yes";
	chosen: string[];
	absent: string;
}

/** A change that a program puts before the user. Nobody but the user applies it. */
export interface ProposeAsk {
	/** The vault's name. */
	vault: string;
	/** The note's path in the vault. */
	path: string;
	why: string;
	changes: readonly Change[];
	profile?: string | null;
}

/** The proposal as it waits; credentials in it are hidden. */
export interface ProposedReply {
	proposal: Proposal;
}

/**
 * How a profile's database is protected from now on.
 * passphrase: the new one, where it opens with one. present: the one that opens it now, where one does.
 */
export interface ProtectAsk {
	profile_id: string;
	by: "keyring" | "none" | "passphrase";
	passphrase?: string | null;
	present?: string | null;
}

/** Forget everything that was saved in this profile before a time (RFC 3339, with its offset). */
export interface PruneAsk {
	profile: string;
	before: string;
}

/** How many entries were forgotten. */
export interface PruneReply {
	forgotten: number;
}

/**
 * Something in the query was not taken as written. Offsets are code points in the query, end exclusive.
 * instead: a query that may be meant; "" where there is none to offer.
 */
export interface QueryWarning {
	code: "and-in-words" | "bad-date" | "bad-kind" | "bad-language" | "bad-regex" | "bad-sort" | "date-in-words" | "empty-value" | "not-in-words" | "option-in-words" | "profile-in-or" | "too-deep" | "too-many" | "unclosed-bracket" | "unclosed-parenthesis" | "unclosed-quote" | "unknown-filter" | "unknown-profile" | "unknown-vault" | "unopened-parenthesis" | "unsupported-operator" | "unsupported-regex";
	message: string;
	start: number;
	end: number;
	instead: string;
}

/** A question. Without `profiles`: all that this client may see and that take part in searches over all. */
export interface QuestionAsk {
	question: string;
	profiles?: readonly string[] | null;
}

/** Where a part of a quotation stands. */
export interface QuotedAt {
	id: string;
	line: number;
}

/**
 * Notes to read: ids of passages, paths (or their end, or the start of a name), or patterns: `Projects/*.md`.
 * The id of a journal's entry gives the entry, as a note of one passage.
 * `from_line` and `to_line` (both included), or `around` a line; alone they need a single note. `around` 0: the
 * line
 * of the passage that an id names.
 */
export interface ReadAsk {
	notes: readonly string[];
	profiles?: readonly string[] | null;
	from_line?: number | null;
	to_line?: number | null;
	around?: number | null;
	max_tokens?: number;
}

/** Parts of notes in the order of their names. */
export interface ReadReply {
	notes: PartOfNote[];
	missing: NoSuchNote[];
	unread: string[];
}

/** What to recall, in words. Without `profiles`: from all that take part in searches over all. */
export interface RecallAsk {
	query: string;
	profiles?: readonly string[] | null;
	limit?: number;
	tags?: readonly string[];
	since?: string | null;
	until?: string | null;
	author?: string | null;
	as_of?: string | null;
}

/** Entries, best first. */
export interface RecallReply {
	entries: RecalledReply[];
	unanswered: Unanswered[];
}

/** An entry in answer to a query. */
export interface RecalledReply {
	id: string;
	profile: string;
	saved: string;
	first_saved: string;
	author: string;
	text: string;
	tags: string[];
	redactions: number;
	replaced_by: string;
	replaced_at: string | null;
	valid_from: string | null;
	valid_to: string | null;
	score: number;
	relevance: "high" | "low" | "medium";
}

/** The newest notes. */
export interface RecentAsk {
	limit?: number;
	offset?: number;
	profile?: string | null;
}

/** How far the text in pictures and scans of a profile is recognised. */
export interface Recognising {
	left: number;
	pages_per_hour: number | null;
	eta_seconds: number | null;
	problem: string;
}

/** Notes related to the note at a path of a vault, or to the one that `note` names. */
export interface RelatedAsk {
	vault?: string | null;
	path?: string | null;
	note?: string | null;
	profile?: string | null;
	limit?: number;
	line?: number | null;
}

/** A note that is related to another, and why. */
export interface RelatedRef {
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	modified: string;
	tags: string[];
	kind: string;
	dated: string | null;
	headings: string[];
	line: number;
	score: number;
	reasons: string[];
	unlinked: boolean;
	excerpt: string;
}

/** Related notes, best first. */
export interface RelatedReply {
	notes: RelatedRef[];
}

/** An entry as it was saved. */
export interface RememberedReply {
	id: string;
	profile: string;
	saved: string;
	first_saved: string;
	author: string;
	text: string;
	tags: string[];
	redactions: number;
	replaced_by: string;
	replaced_at: string | null;
	valid_from: string | null;
	valid_to: string | null;
	refreshed: boolean;
	replaced: string;
	alike: EntryReply[];
}

/** What is to be done to each note. Text is replaced as it is written: nothing in it is a pattern. */
export interface ResultEdit {
	action: "add-tag" | "remove-property" | "remove-tag" | "replace" | "set-property";
	find?: string;
	after?: string;
	whole_word?: boolean;
	match_case?: boolean;
	frontmatter?: boolean;
	name?: string;
	value?: string;
}

/** Which proposals to list. */
export interface ReviewAsk {
	profile?: string | null;
	vault?: string | null;
	kind?: "broken-link" | "dead-end" | "empty" | "intake" | "long" | "missing-link" | "near-copy" | "orphan" | "replaced" | "stale" | "stub" | "suggested" | "tag-forms" | "untagged" | null;
	folder?: string | null;
	path?: string | null;
	/** Those that wait, or those that were answered so. */
	answer?: "done" | "later" | "no" | "open" | "yes";
	limit?: number;
	offset?: number;
}

/** What the user says of a proposal. */
export interface ReviewDecideAsk {
	/** One profile, not all. */
	profile: string;
	/** A proposal's key. */
	key: string;
	answer: "done" | "later" | "no" | "open" | "yes";
	chosen?: readonly string[] | null;
}

/** Proposals in the order of kinds, the surest first within each. */
export interface ReviewReply {
	proposals: Proposal[];
	total: number;
	counts: KindCount[];
	may_decide: boolean;
	waiting: number;
	unanswered: Unanswered[];
	written: boolean;
}

/** What one `apply` wrote into the notes of a profile, as far as it was not taken back yet. */
export interface RunShown {
	run: string;
	applied: string;
	profile: string;
	proposals: number;
	notes: number;
	blocked: NotWritten[];
}

/** What was written and can be taken back, newest first. */
export interface RunsReply {
	runs: RunShown[];
}

/** What one ground says of a note in the inbox. */
export interface Score {
	ground: "complete" | "known" | "linked" | "new";
	value: number;
	why: string;
}

/** What one signal gave a result. `points` of all parts sum to the result's score. */
export interface ScorePart {
	signal: "completeness" | "importance" | "lexical" | "neighbours" | "opened" | "recency" | "semantic";
	points: number;
	rank: number | null;
	raw: number | null;
}

/** One search. Without `profiles`: all that this client may see and that take part in searches over all. */
export interface SearchAsk {
	query: string;
	profiles?: readonly string[] | null;
	limit?: number;
	mode?: "hybrid" | "lexical" | "semantic";
	group?: "chunk" | "note";
	explain?: boolean;
	typing?: boolean;
	context?: number;
	offset?: number;
	sort?: "-created" | "-modified" | "-path" | "-title" | "created" | "modified" | "path" | "relevance" | "title";
	facets?: readonly string[];
	mend?: boolean;
	fold?: boolean;
	habits?: boolean;
	hidden?: boolean;
	fusion?: "convex" | "rrf" | null;
	places?: number;
	newest?: boolean;
	remember?: boolean;
}

/** One remembered search. Credentials are taken out of the query. */
export interface SearchEventReply {
	profile: string;
	at: string;
	query: string;
	mode: string;
	results: number;
	took_ms: number;
	opened: string[];
	source: "" | "agent" | "page" | "panel" | "terminal";
	client: string;
	relevance: "high" | "low" | "medium" | "";
	missed: ("low" | "reworded" | "unopened")[];
}

/** The answer to one search, best result first. */
export interface SearchResponse {
	results: SearchResult[];
	relevance: "high" | "low" | "medium";
	took_ms: number;
	pending_embeddings: number;
	semantic: "not-asked" | "unavailable" | "used";
	unanswered: Unanswered[];
	warnings: QueryWarning[];
	notices: Notice[];
	total_notes: number | null;
	next_offset: number | null;
	facets: Facet[];
}

/** One note (or chunk) found, with its best passage. */
export interface SearchResult {
	id: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	headings: string[];
	line: number;
	snippet: string;
	highlights: readonly [number, number][];
	score: number;
	relevance: "high" | "low" | "medium";
	tags: string[];
	modified: string;
	redactions: number;
	also_in: Place[];
	also_in_count: number;
	nearly_same: Place[];
	nearly_same_count: number;
	explain: ScorePart[] | null;
	words: WordsSaid | null;
	context: Surroundings | null;
	about: string;
	kind: string;
	place: string;
	display: string;
	open_url: string;
	dated: string | null;
	newer: string;
	found_by: "filters" | "links" | "meaning" | "words";
}

/** A sentence of a passage. */
export interface SentenceReply {
	text: string;
	line: number;
}

/** A ticket, to be turned into a session. */
export interface SessionAsk {
	ticket: string;
}

/** One session, by its id. */
export interface SessionId {
	session_id: string;
}

/**
 * What the search page may do.
 * `key` comes once, with the ticket; the page keeps it. HMAC-SHA256 of the `instance` that `/health` names, with
 * `key`
 * as it is written, goes as hex into the header X-Scrubjay-Csrf of every other request.
 */
export interface SessionReply {
	client: string;
	scopes: ("journal" | "manage" | "search")[];
	profiles: string[];
	key: string | null;
}

/** The browsers that were let in, oldest first. */
export interface SessionsReply {
	sessions: PageSession[];
}

/** How the daemon does. */
export interface Status {
	version: string;
	instance: string;
	model: string;
	uptime_seconds: number;
	memory_bytes: number;
	pending_embeddings: number;
	profiles: ProfileStatus[];
	warnings: string[];
	box: BoxStatus | null;
	taken_port: TakenPort | null;
	command: string;
}

/** A note that a walk looked at. */
export interface StepReply {
	note: NoteRef;
	hop: number;
	via: string | null;
	likeness: number | null;
	fate: "below-floor" | "beyond-limit" | "kept" | "not-embedded" | "outside-beam";
}

/** What is to be completed. */
export interface SuggestAsk {
	kind: "folder" | "named-folder" | "property" | "tag" | "title";
	prefix?: string;
	limit?: number;
	profile?: string | null;
}

/** Completions, most used first. */
export interface SuggestReply {
	suggestions: Suggestion[];
}

/** A way to complete a filter, and how many notes it would keep. */
export interface Suggestion {
	value: string;
	notes: number;
}

/** The passages of the note around the one found, whole, in the note's order. */
export interface Surroundings {
	before: string[];
	after: string[];
}

/** Another person's program listens where the user's language model should, and is sent nothing. */
export interface TakenPort {
	address: string;
	user: number;
}

/** A ticket opens the search page once, within `seconds`. */
export interface TicketReply {
	ticket: string;
	path: string;
	seconds: number;
}

/** Some days. */
export interface TimelineAsk {
	since?: string | null;
	until?: string | null;
	profile?: string | null;
}

/** Days with notes, newest first. */
export interface TimelineReply {
	days: DayReply[];
}

/** A token, shown this once. */
export interface TokenReply {
	client: ClientReply;
	token: string;
}

/**
 * A walk along links. It begins with the note that holds the passage `id`, is at `path`, or that `note` names.
 * Or it begins with the best results of a `search`: three, or eight if it is `deep`.
 */
export interface TraverseAsk {
	id?: string | null;
	path?: string | null;
	note?: string | null;
	search?: string | null;
	profile?: string | null;
	vault?: string | null;
	about?: string | null;
	/** Most hops. */
	depth?: number;
	/** Keep everything within reach. */
	deep?: boolean;
	limit?: number;
}

/**
 * What a profile's aliases and link texts have taught of how its notes are asked for.
 * state: `used`; `no-gain`, where it does not find notes by their names clearly better; `too-few` names;
 * `waiting`,
 * where it is learned when there is rest; `off`.
 */
export interface TunedReply {
	profile: string;
	state: "no-gain" | "off" | "too-few" | "used" | "waiting";
	pairs: number;
	ridge: number;
	before: number;
	gain: number;
	low: number;
	high: number;
}

/** The open profiles, as far as they were asked for. */
export interface TuningReply {
	profiles: TunedReply[];
}

/** A profile that did not answer. reason: why, in a sentence without a path; the searcher leaves it open. */
export interface Unanswered {
	profile: string;
	reason: string;
	code: "" | "away" | "changing" | "damaged" | "denied" | "in-use" | "key-changed" | "late" | "locked" | "unusable";
}

/** Which writing is to be taken back, as it was named. */
export interface UndoAsk {
	run: string;
}

/** A hidden note as it is listed. */
export interface UnhideAsk {
	profile: string;
	/** The vault's name. */
	vault: string;
	/** The note's path in the vault. */
	path: string;
	asked?: string;
}

/** The passphrase, where one opens the profile; nothing where the keyring has its key. */
export interface UnlockAsk {
	profile_id: string;
	passphrase?: string | null;
}

/** A vault of a profile. Nothing is read but what lies below `allow` ("." is all); `exclude` always wins. */
export interface VaultAsk {
	root: string;
	allow?: readonly string[];
	exclude?: readonly string[];
	inbox?: string | null;
}

/**
 * A folder of a profile. `root` is told to clients that manage. own: this client was let in for this very
 * folder.
 * No other vault of the profile has its name.
 */
export interface VaultReply {
	id: string;
	name: string;
	allow: string[];
	exclude: string[];
	root: string | null;
	own: boolean;
	inbox: string;
}

/** A whole answer in Markdown: its quotations, each with the `[#id]` of a passage beside it. */
export interface VerifyAnswerAsk {
	text: string;
	profiles?: readonly string[] | null;
}

/** One status for the whole: the worst of what follows. */
export interface VerifyAnswerReply {
	status: "mismatch" | "nothing-quoted" | "partly-quoted" | "unverifiable" | "verified";
	reason: string;
	quotes: CheckedQuote[];
	unknown: string[];
	edited: string[];
	unquoted: CitedSource[];
}

/** A quotation, and what it is said to be from: a passage's id, a note's path, or what `note` names. */
export interface VerifyAsk {
	quote: string;
	id?: string | null;
	path?: string | null;
	note?: string | null;
	vault?: string | null;
	profile?: string | null;
}

/** Whether the words are in the note, and where. */
export interface VerifyReply {
	verdict: "altered" | "not-found" | "unverifiable" | "verified";
	reason: string;
	profile: string;
	vault: string;
	path: string;
	title: string;
	places: QuotedAt[];
	modified: string;
	dated: string | null;
}

/** A walk along links: by hop, kept notes first, most alike first. */
export interface WalkReply {
	steps: StepReply[];
	ending: "hops" | "limit" | "low-quality" | "nothing-further";
	omitted: number;
}

/**
 * Which words of the query, as typed, a note says anywhere (title, path and tags too), and which it does not.
 * places: of each that it has, where it stands; where it stands in several places, the first of `WordPlace`.
 */
export interface WordsSaid {
	has: string[];
	lacks: string[];
	forms: FormSaid[];
	places: ("heading" | "path" | "tag" | "text" | "title")[];
}

/** Where a program of the user's is about to write. paths: of notes as they are named, or will be. */
export interface WritableAsk {
	/** One profile, not all. */
	profile: string;
	/** The vault's name. */
	vault: string;
	paths: readonly string[];
}

/** Those of the paths that the profile may not read by its settings as they are on disk now: leave them alone. */
export interface WritableReply {
	refused: string[];
}

/** The accepted proposals whose changes were shown to the user, and are to be written: their keys. */
export interface WriteAsk {
	keys: readonly string[];
}

/**
 * Every endpoint by its method and path, with what it is asked and what it replies. Fields that the path names travel
 * in it, the others in the body of a POST, or in the query string of GET and DELETE.
 */
export interface Endpoints {
	/** Say that this is Scrubjay; with `challenge` (32 to 128 lower-case hex digits), prove which one. */
	"GET /health": { ask: HealthAsk; reply: Health };
	/** The sentence of the notes that answers a question, with its place, if one does. No language model is asked. */
	"POST /v1/answer": { ask: QuestionAsk; reply: AnswerReply };
	/**
	 * The answer of the language model that the user has named, its quotations checked; without one, as
	 * `/v1/answer`.
	 * To who accepts `text/event-stream` it is sent as it comes: `part` for each sentence, then `reply` or
	 * `problem`.
	 */
	"POST /v1/ask": { ask: QuestionAsk; reply: AnswerReply };
	/** What an edit brought into a note since a time, passage by passage; and which went. */
	"GET /v1/changes": { ask: ChangesAsk; reply: ChangesReply };
	/**
	 * Check the indexes of one profile or of all visible ones, and mend them; what must be read again is read in the
	 * background.
	 */
	"POST /v1/check": { ask: CheckAsk; reply: CheckReply };
	/** Several passages by id. */
	"GET /v1/chunks": { ask: ChunksAsk; reply: ChunksReply };
	/** One passage by its id, or by the first six or more digits of it, from any visible profile. */
	"GET /v1/chunks/{chunk_id}": { ask: ChunkAsk; reply: ChunkReply };
	/** The clients that this client may manage. */
	"GET /v1/clients": { ask: Nothing; reply: ClientsReply };
	/** A new client and its token, which is shown this once. */
	"POST /v1/clients": { ask: ClientAsk; reply: TokenReply };
	/** Give one's own token back; it is dead at once. For whoever holds a token, whatever it may do. */
	"DELETE /v1/clients/self": { ask: Nothing; reply: Done };
	/** Who asks, and what it may see and do. */
	"GET /v1/clients/self": { ask: Nothing; reply: ClientReply };
	/** Forget the client; its token, its pages and its event streams are dead at once. */
	"DELETE /v1/clients/{client_id}": { ask: ClientId; reply: Done };
	/** Change a client's name, scopes or profiles. Takes effect at once. */
	"POST /v1/clients/{client_id}": { ask: ClientChange; reply: ClientReply };
	/** A new token for this client; the old one is dead at once. */
	"POST /v1/clients/{client_id}/rotate": { ask: ClientId; reply: TokenReply };
	/** What the notes say about a prompt: one Markdown block within a budget of tokens. Deterministic. */
	"POST /v1/context": { ask: ContextAsk; reply: ContextReply };
	/** Where credentials sit in the notes, page by page: path, line and rule, never the credential. */
	"GET /v1/credentials": { ask: CredentialsAsk; reply: CredentialsReply };
	/**
	 * Let a credential stand, in its note or in all notes of its profile; say that it was seen to; or take that
	 * back.
	 */
	"POST /v1/credentials": { ask: DecideAsk; reply: DecidedReply };
	/** What an edit of all notes that a search finds would change, as diffs with secrets hidden. Not for agents. */
	"POST /v1/edit": { ask: EditAsk; reply: EditReply };
	/** Have `scrubjay edit` write an edit as it was shown. The search page's user alone may ask for it. */
	"POST /v1/edit/write": { ask: EditWriteAsk; reply: ApplyReport };
	/** The two sentences of a passage that answer a query best: by its words, by meaning where these say little. */
	"POST /v1/excerpt": { ask: ExcerptAsk; reply: ExcerptReply };
	/** Why a note is, or is not, among the results of a search: which stage dropped it, and what would bring it back. */
	"POST /v1/explain": { ask: ExplainAsk; reply: NoteExplanation };
	/** Have a hidden note found again. */
	"DELETE /v1/hidden": { ask: UnhideAsk; reply: Done };
	/** The notes that are hidden from every search, or from one query. */
	"GET /v1/hidden": { ask: ProfileChoice; reply: HiddenReply };
	/**
	 * Hide a note from every search, or from one query. Lists of filters alone, searches with `path:` or `file:` and
	 * those with `hidden` still find what is hidden from every search.
	 */
	"POST /v1/hidden": { ask: HideAsk; reply: HiddenNoteReply };
	/** Forget the searches of one profile, or of all visible ones. */
	"DELETE /v1/history": { ask: ClearHistoryAsk; reply: Cleared };
	/**
	 * The searches that were remembered, newest first, and who made them; `slow` gives only those slower than
	 * `slow_search_ms`, `missed` those with an answer of low relevance, with nothing opened, or asked again in other
	 * words within a minute.
	 */
	"GET /v1/history": { ask: HistoryAsk; reply: HistoryReply };
	/** Index at full speed until nothing waits any more. */
	"POST /v1/hurry": { ask: Nothing; reply: Done };
	/** Look at the vaults again, of one profile or of all visible open ones. The work goes on in the background. */
	"POST /v1/index": { ask: IndexAsk; reply: Accepted };
	/** Entries by time, newest first: saved from `since` on and before `until`. */
	"GET /v1/journal": { ask: LogAsk; reply: JournalReply };
	/**
	 * Save a text in a profile's journal, perhaps in the place of an older entry; names those that say nearly the
	 * same.
	 */
	"POST /v1/journal": { ask: JournalAsk; reply: RememberedReply };
	/** Delete for good all that was saved before a time. */
	"POST /v1/journal/prune": { ask: PruneAsk; reply: PruneReply };
	/** The entries that fit a query best, by words and by meaning. */
	"POST /v1/journal/recall": { ask: RecallAsk; reply: RecallReply };
	/** Delete an entry for good. A client forgets what it saved itself; one that manages, anything it sees. */
	"DELETE /v1/journal/{entry_id}": { ask: EntryAsk; reply: Done };
	/** One entry by its id. */
	"GET /v1/journal/{entry_id}": { ask: EntryAsk; reply: EntryReply };
	/** What holds the daemon's memory, and what the processes that work for it have in memory. */
	"GET /v1/memory": { ask: Nothing; reply: MemoryReply };
	/** The models on this computer. */
	"GET /v1/models": { ask: Nothing; reply: ModelsReply };
	/** Notes that pass a filter of the query language, the newest first; with words in it too, the best first. */
	"GET /v1/notes": { ask: NotesAsk; reply: NotesReply };
	/** The whole note that holds a passage, as indexed: credentials taken out. */
	"GET /v1/notes/{chunk_id}": { ask: NoteAsk; reply: NoteReply };
	/**
	 * A page of a PDF as a picture, where no credential was hidden on it; 404 `no-picture` with the reason
	 * otherwise.
	 */
	"GET /v1/notes/{chunk_id}/page": { ask: PageAsk; reply: PageReply };
	/** Forget which results were opened, so that they stand higher no more; the searches stay in the history. */
	"DELETE /v1/opened": { ask: ForgetOpenedAsk; reply: Cleared };
	/** Remember that a result was opened, in the history of its profile if that is kept. */
	"POST /v1/opened": { ask: OpenedAsk; reply: Done };
	/** Requests that wait for the user. */
	"GET /v1/pairing": { ask: Nothing; reply: PairingsReply };
	/** Ask to be let in. Show the code to the user, who compares it with the one that Scrubjay shows. */
	"POST /v1/pairing": { ask: PairingAsk; reply: PairingBegun };
	/** The user's word on a request, named by its id or its code. */
	"POST /v1/pairing/{id_or_code}": { ask: PairingDecision; reply: PairingState };
	/** How one's own request stands. Once approved, this gives the token, exactly once. */
	"POST /v1/pairing/{request_id}/collect": { ask: PairingSecret; reply: PairingState };
	/** Approve one's own request by proof of being the same user; the client sees the profiles that hold its vault. */
	"POST /v1/pairing/{request_id}/proof": { ask: PairingProof; reply: PairingState };
	/** Hold the background work of one profile, or of all visible ones, until it is resumed or the daemon restarts. */
	"POST /v1/pause": { ask: ProfileChoice; reply: Accepted };
	/** The profiles that this client may see. */
	"GET /v1/profiles": { ask: Nothing; reply: ProfilesReply };
	/** Create a profile; its indexing begins. Only a client that sees all profiles may: others could read any folder. */
	"POST /v1/profiles": { ask: ProfileAsk; reply: ProfileReply };
	/** Look at the profiles' folders now, not in a second: take over what changed, let go of what a command holds. */
	"POST /v1/profiles/refresh": { ask: Nothing; reply: Done };
	/** Remove a profile and its index. The notes themselves are not touched. */
	"DELETE /v1/profiles/{profile_id}": { ask: ProfileId; reply: Done };
	/**
	 * Change a profile's name, folders, colour, model, filter, or whether it takes part in searches over all.
	 * A refused change changes nothing.
	 * Another name or vault takes a client that sees all profiles.
	 */
	"POST /v1/profiles/{profile_id}": { ask: ProfileChange; reply: ProfileReply };
	/** Write a complete copy of a profile's database into the data folder; an encrypted one stays so. */
	"POST /v1/profiles/{profile_id}/backup": { ask: ProfileId; reply: BackupReply };
	/** Close a profile until it is unlocked. Searches of others go on, and say that it did not answer. */
	"POST /v1/profiles/{profile_id}/lock": { ask: ProfileId; reply: ProfileReply };
	/**
	 * Encrypt a profile's database by the keyring or a passphrase, change either, or decrypt it; it is written anew.
	 * 423 `store-locked` where the present passphrase is missing, `wrong-passphrase` where it is wrong.
	 */
	"POST /v1/profiles/{profile_id}/protection": { ask: ProtectAsk; reply: ProfileReply };
	/** Open a locked profile; 423 `wrong-passphrase`, or `store-locked` when it is missing or the key is not there. */
	"POST /v1/profiles/{profile_id}/unlock": { ask: UnlockAsk; reply: ProfileReply };
	/** Notes by id, path or pattern, whole or in parts, within a budget of tokens; says where to go on. */
	"POST /v1/read": { ask: ReadAsk; reply: ReadReply };
	/** The notes modified last. */
	"GET /v1/recent": { ask: RecentAsk; reply: NotesReply };
	/** Notes related to a note by meaning, links and tags, and why. */
	"GET /v1/related": { ask: RelatedAsk; reply: RelatedReply };
	/** Let the background work go on. */
	"POST /v1/resume": { ask: ProfileChoice; reply: Accepted };
	/** Read the files again that could not be indexed. */
	"POST /v1/retry": { ask: ProfileChoice; reply: Accepted };
	/** Small decisions that would tidy the notes. */
	"GET /v1/review": { ask: ReviewAsk; reply: ReviewReply };
	/** Say yes, no or later to a proposal. No note is written: `scrubjay review apply` or Obsidian does that. */
	"POST /v1/review": { ask: ReviewDecideAsk; reply: Done };
	/** Say no to everything that programs, or one of them, put forward and that still waits. */
	"POST /v1/review/clear": { ask: ClearAsk; reply: ClearedReply };
	/** Clusters of notes that link to each other, and their bridges. */
	"GET /v1/review/map": { ask: MapAsk; reply: MapReply };
	/** The notes as they would be after a yes, as a diff with secrets hidden. */
	"POST /v1/review/preview": { ask: PreviewAsk; reply: PreviewReply };
	/** Put a change of a note before the user, among the other proposals. It waits there until the user decides. */
	"POST /v1/review/propose": { ask: ProposeAsk; reply: ProposedReply };
	/** What was written into notes and can be taken back. The search page's user alone may ask for it. */
	"GET /v1/review/runs": { ask: Nothing; reply: RunsReply };
	/** Have `scrubjay review undo` take one writing back. The search page's user alone may ask for it. */
	"POST /v1/review/undo": { ask: UndoAsk; reply: ApplyReport };
	/**
	 * Which of these notes must not be written, since an exclusion keeps them from the profile. Ask before each
	 * write.
	 */
	"POST /v1/review/writable": { ask: WritableAsk; reply: WritableReply };
	/**
	 * Have `scrubjay review apply` write accepted changes that were shown. The search page's user alone may ask for
	 * it.
	 */
	"POST /v1/review/write": { ask: WriteAsk; reply: ApplyReport };
	/** Search the notes of the profiles that this client may see. */
	"POST /v1/search": { ask: SearchAsk; reply: SearchResponse };
	/** The session of this page again, after it was loaded anew; from time to time with another cookie. */
	"GET /v1/session": { ask: Nothing; reply: SessionReply };
	/** Turn a ticket into a session cookie. */
	"POST /v1/session": { ask: SessionAsk; reply: SessionReply };
	/** The browsers that were let in to the search page. */
	"GET /v1/sessions": { ask: Nothing; reply: SessionsReply };
	/** End the session of a browser, at once; it can't ask any more. */
	"DELETE /v1/sessions/{session_id}": { ask: SessionId; reply: Done };
	/** How the daemon does, and how much each visible profile holds. */
	"GET /v1/status": { ask: Nothing; reply: Status };
	/**
	 * Completions for `tag:`, `path:`, `[property]` and `file:`, or folders that words name, from the profiles that
	 * a search over all asks.
	 */
	"GET /v1/suggest": { ask: SuggestAsk; reply: SuggestReply };
	/** A one-time ticket that opens the search page as this client. Not for a page itself. */
	"POST /v1/tickets": { ask: Nothing; reply: TicketReply };
	/** Notes by day: daily notes on the day that they are named for, others when they were written and last changed. */
	"GET /v1/timeline": { ask: TimelineAsk; reply: TimelineReply };
	/**
	 * Walk from a note along links in either direction, keeping what stays on the subject.
	 * Every note that was looked at is named, with its likeness and why it was kept or dropped.
	 */
	"GET /v1/traverse": { ask: TraverseAsk; reply: WalkReply };
	/** What each profile's aliases and link texts have taught of how its notes are asked for, and whether it is used. */
	"GET /v1/tuning": { ask: ProfileChoice; reply: TuningReply };
	/** The vaults that Obsidian knows on this computer. Only a client that sees all profiles may ask. */
	"GET /v1/vaults": { ask: Nothing; reply: KnownVaultsReply };
	/** The folders of a vault, to choose what may be read. Only a client that sees all profiles may ask. */
	"POST /v1/vaults/folders": { ask: FolderLook; reply: FoldersReply };
	/** Whether a quotation really is in the note that it cites. No model is asked: the same answer every time. */
	"POST /v1/verify": { ask: VerifyAsk; reply: VerifyReply };
	/** Whether each quotation of an answer stands in a note that it cites, and one status for all. No model is asked. */
	"POST /v1/verify/answer": { ask: VerifyAnswerAsk; reply: VerifyAnswerReply };
}

/** The operators of the query language, each written before a colon. */
export const OPERATORS = ["path", "file", "ext", "kind", "tag", "lang", "modified", "created", "vault", "profile", "line", "block", "section", "task", "task-todo", "task-done", "match-case", "sort"] as const;
