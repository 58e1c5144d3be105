import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { ProfileStatus, Status } from "../../api/wire";
import { learnCommand } from "../shared/notice";

export type Phase = "connecting" | "online" | "offline" | "unauthorized";

export interface ConnectionState {
	phase: Phase;
	/** The newest status; kept while offline, so that the panel can still say what there was. */
	status: Status | null;
}

export type Listener = (state: ConnectionState) => void;

const BUSY_MS = 1_500;
const IDLE_MS = 20_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Events come in bursts while notes are indexed; one look answers them all. */
const EVENT_SETTLE_MS = 400;

const RESTING: readonly string[] = ["idle", "paused", "locked", "failed", "away"];

/** How long to wait before looking again. Failing looks back off, doubling each time. */
export function delayAfter(state: ConnectionState, failures: number): number {
	if (state.phase === "online") return isWorking(state.status) ? BUSY_MS : IDLE_MS;
	return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1));
}

/** Is any profile being read or embedded? */
export function isWorking(status: Status | null): boolean {
	return status !== null && status.profiles.some(({ state }) => !RESTING.includes(state));
}

/** Is the profile in no search now? */
export function isClosed({ state }: ProfileStatus): boolean {
	return state === "locked" || state === "away" || state === "failed";
}

/** May there be notes of the profile that no search finds yet, and that are about to be read? */
export function isBeingRead({ state, progress }: ProfileStatus): boolean {
	return state === "reading" || state === "scanning" || progress.unread > 0;
}

/**
 * Keeps an eye on the daemon: asks for its status, often while it works and seldom while it rests, and waits longer and
 * longer while it is away. Never logs: being away is a state, not an error.
 */
export class Connection {
	private state: ConnectionState = { phase: "connecting", status: null };
	private readonly listeners = new Set<Listener>();
	private readonly hearers = new Set<(event: string) => void>();
	private failures = 0;
	private timer: number | undefined;
	private looking = false;
	/** A look is about to be taken since something happened. */
	private isDue = false;
	private stopped = true;
	private stream: AbortController | null = null;

	constructor(private client: Client) {
		this.watch(client);
	}

	get current(): ConnectionState {
		return this.state;
	}

	/** Called with every change, and at once with what is known. Returns how to stop. */
	listen(listener: Listener): () => void {
		this.listeners.add(listener);
		listener(this.state);
		return () => this.listeners.delete(listener);
	}

	/** Called each time the daemon answers again after it did not. Returns how to stop. */
	onReturn(act: () => void): () => void {
		let wasAway = false;
		return this.listen(({ phase }) => {
			if (phase === "online" && wasAway) act();
			wasAway = phase === "offline" || phase === "unauthorized";
		});
	}

	/** Called with the name of each event that the daemon sends, where the host can stream. Returns how to stop. */
	hear(hearer: (event: string) => void): () => void {
		this.hearers.add(hearer);
		return () => this.hearers.delete(hearer);
	}

	start(): void {
		this.stopped = false;
		void this.look();
	}

	stop(): void {
		this.stopped = true;
		window.clearTimeout(this.timer);
		this.stream?.abort();
		this.stream = null;
	}

	/** Talk to another address or with another token from now on. */
	use(client: Client): void {
		this.client = client;
		this.watch(client);
		this.stream?.abort();
		this.stream = null;
		this.failures = 0;
		this.retry();
	}

	/** Look now instead of at the next turn. */
	retry(): void {
		if (!this.stopped) void this.look();
	}

	/** A request that was lost is noticed at once, not at the next turn. */
	private watch(client: Client): void {
		client.onLost = () => {
			if (this.state.phase !== "online" || this.looking) return;
			this.set({ phase: "offline", status: this.state.status });
			this.lookSoon();
		};
	}

	private async look(): Promise<void> {
		if (this.looking) return;
		this.looking = true;
		this.isDue = false;
		window.clearTimeout(this.timer);
		const client = this.client;
		try {
			const status = await client.ask("GET /v1/status");
			this.failures = 0;
			learnCommand(status.command);
			this.set({ phase: "online", status });
			this.follow();
		} catch (error) {
			this.failures += 1;
			this.set({
				phase: asApiError(error).isUnauthorized ? "unauthorized" : "offline",
				status: this.state.status,
			});
		}
		this.looking = false;
		if (client !== this.client) this.retry();
		else if (!this.stopped)
			this.timer = window.setTimeout(() => void this.look(), delayAfter(this.state, this.failures));
	}

	/** Where the host can stream, changes are seen when they happen and the slow turns only serve as a net. */
	private follow(): void {
		if (this.stream || this.stopped) return;
		const stream = new AbortController();
		const ended = this.client.events((event) => this.heard(event), stream.signal);
		if (!ended) return;
		this.stream = stream;
		const forget = (): void => {
			if (this.stream === stream) this.stream = null;
		};
		ended.then(forget, forget);
	}

	private heard(event: string): void {
		for (const hearer of this.hearers) hearer(event);
		if (!this.looking) this.lookSoon();
	}

	private lookSoon(): void {
		if (this.stopped || this.isDue) return;
		this.isDue = true;
		window.clearTimeout(this.timer);
		this.timer = window.setTimeout(() => void this.look(), EVENT_SETTLE_MS);
	}

	private set(state: ConnectionState): void {
		this.state = state;
		for (const listener of this.listeners) listener(state);
	}
}
