import { requestUrl } from "obsidian";
import { ApiError } from "../../api/errors";
import type { ApiReply, ApiRequest, Transport } from "../../api/transport";
import { readDiscovery } from "./daemonFiles";
import { isProof, newChallenge } from "./proof";

const TIMEOUT_MS = 20_000;

/**
 * Requests to the daemon through Obsidian's `requestUrl`.
 *
 * The address comes from the daemon's own file, and the token is sent only to a process that proves to have written
 * that file. When nothing answers, the address is looked up again: a restarted daemon may have another port.
 */
export class RequestTransport implements Transport {
	private address: string | null = null;

	constructor(
		private readonly folder: () => string,
		private readonly token: () => string | null,
	) {}

	async send({ method, path, body }: ApiRequest): Promise<ApiReply> {
		const address = (this.address ??= await this.locate());
		const token = this.token();
		const headers: Record<string, string> = { Accept: "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
		try {
			return await request({ url: address + path, method, headers, ...(body === undefined ? {} : { contentType: "application/json", body: JSON.stringify(body) }) });
		} catch (error) {
			this.address = null;
			throw error;
		}
	}

	/** Forget the address: another folder was chosen. */
	forget(): void {
		this.address = null;
	}

	private async locate(): Promise<string> {
		const found = await readDiscovery(this.folder());
		if (!found) throw ApiError.unreachable();
		const challenge = newChallenge();
		const reply = await request({ url: `${found.url}/health?challenge=${challenge}`, method: "GET" });
		const answer = (reply.body as { proof?: unknown } | null)?.proof;
		if (!(await isProof(found.secret, challenge, answer))) throw ApiError.unreachable();
		return found.url;
	}
}

async function request(options: { url: string; method: string; headers?: Record<string, string>; contentType?: string; body?: string }): Promise<ApiReply> {
	let timer: number | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = window.setTimeout(() => reject(ApiError.unreachable()), TIMEOUT_MS);
	});
	const reply = requestUrl({ ...options, throw: false }).then(
		({ status, text }) => ({ status, body: parsed(text) }),
		() => {
			throw ApiError.unreachable();
		},
	);
	return Promise.race([reply, timeout]).finally(() => window.clearTimeout(timer));
}

function parsed(text: string): unknown {
	try {
		return text === "" ? null : JSON.parse(text);
	} catch {
		return null;
	}
}
