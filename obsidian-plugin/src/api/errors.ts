import type { ApiReply } from "./transport";

/** A request that the daemon refused, or that nobody answered (`code` "unreachable", status 0). `message`: the daemon's own words, "" where it has none. */
export class ApiError extends Error {
	constructor(
		readonly code: string,
		readonly status: number,
		message: string,
	) {
		super(message);
		this.name = "ApiError";
	}

	static unreachable(): ApiError {
		return new ApiError("unreachable", 0, "");
	}

	/** Reads RFC 9457 problem details; any other body still gives an error that names the status. */
	static of(reply: ApiReply): ApiError {
		const body =
			typeof reply.body === "object" && reply.body !== null ? (reply.body as Record<string, unknown>) : {};
		const text = [body["detail"], body["title"]].find(
			(part): part is string => typeof part === "string" && part !== "",
		);
		const code = typeof body["code"] === "string" ? body["code"] : `http-${reply.status}`;
		return new ApiError(code, reply.status, text ?? "");
	}

	/** Nothing listens where the daemon should be. */
	get isUnreachable(): boolean {
		return this.status === 0;
	}

	/** The token or session is missing, wrong or revoked. */
	get isUnauthorized(): boolean {
		return this.status === 401;
	}

	/** The endpoint is there, the note is not. */
	get isNoSuchNote(): boolean {
		return this.status === 404 && this.code === "note-not-found";
	}

	/** The daemon is older than this panel and lacks the endpoint, or this client's scopes do not reach it. */
	get isMissing(): boolean {
		return [403, 404, 405, 501].includes(this.status) && !this.isNoSuchNote;
	}
}

export function asApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	return new ApiError("unexpected", -1, error instanceof Error ? error.message : String(error));
}
