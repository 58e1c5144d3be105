/** How a request reaches the daemon. Obsidian and the page each bring their own. */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface ApiRequest {
	method: Method;
	/** Begins with "/", query string included. */
	path: string;
	body?: unknown;
	/** How long an answer may take, where that is longer than usual. */
	seconds?: number;
}

export interface ApiReply {
	status: number;
	/** Parsed JSON, or null where the reply has none. */
	body: unknown;
}

export interface Transport {
	/** Resolves for every HTTP status; rejects only when nothing answered. */
	send(request: ApiRequest): Promise<ApiReply>;
	/** Calls `onEvent` for each server-sent event until `signal` aborts or the stream ends. Left out: the panel polls. */
	events?(path: string, onEvent: (name: string) => void, signal: AbortSignal): Promise<void>;
}
