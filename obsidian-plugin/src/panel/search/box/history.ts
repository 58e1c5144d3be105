import type { Client } from "../../../api/client";
import type { Place, Storage } from "../../host";
import type { SessionState } from "../session";

const KEY = "query-history";
const KEPT = 50;

/** Queries that led somewhere, newest first. A query that was only typed is not kept. */
export class QueryHistory {
	private readonly storage: Storage;
	private readonly isKept: () => boolean;

	constructor(storage: Storage, isKept: () => boolean) {
		this.storage = storage;
		this.isKept = isKept;
	}

	list(): string[] {
		const saved = this.storage.read(KEY);
		return Array.isArray(saved) ? saved.filter((query): query is string => typeof query === "string") : [];
	}

	add(query: string): void {
		const trimmed = query.trim();
		if (trimmed === "" || !this.isKept()) return;
		this.storage.write(KEY, [trimmed, ...this.list().filter((old) => old !== trimmed)].slice(0, KEPT));
	}

	clear(): void {
		this.storage.write(KEY, []);
	}

	/** The query before (`step` 1: older) or after (`step` -1: newer) `current`; null past either end. */
	neighbour(current: string, step: 1 | -1): string | null {
		const list = this.list();
		const next = list.indexOf(current.trim()) + step;
		return list[next] ?? null;
	}
}

/** Tell the daemon that a result was opened; of notes that this search did not find it is told nothing. Nobody waits for it, and a history that cannot be written is no trouble of who reads. */
export function tellOpened(client: Client, { response, answered }: SessionState, { indexed, path }: Place): void {
	const isResult = response?.results.some((result) => result.profile === indexed?.profile && result.path === path);
	if (!indexed || !isResult) return;
	const query = response?.notices.find(({ code }) => code === "mended")?.query ?? answered;
	client.ask("POST /v1/opened", { profile: indexed.profile, query, path }).catch(() => undefined);
}
