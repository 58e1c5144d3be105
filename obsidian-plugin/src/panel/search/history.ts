import type { Storage } from "../host";

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
