import { ApiError } from "../../../api/errors";
import type { ApiReply, ApiRequest, Transport } from "../../../api/transport";
import { readDiscovery, type Discovery } from "./daemonFiles";
import { isProof, newChallenge } from "./proof";

const TIMEOUT_MS = 20_000;
/** How long a proof is good for. */
const TRUSTED_MS = 2_000;

interface UrlRequest {
	url: string;
	method: string;
	headers?: Record<string, string>;
	contentType?: string;
	body?: string;
}

/** Obsidian's `requestUrl`, as far as it is used. */
export type RequestUrl = (request: UrlRequest & { throw: false }) => PromiseLike<{ status: number; text: string }>;

/** A daemon that has proved itself, and when. */
interface Proven {
	url: string;
	secret: string;
	at: number;
}

/**
 * Requests to the daemon through Obsidian's `requestUrl`.
 *
 * The address comes from the daemon's own file, and the token is sent only to a process that has proved, within the
 * last two seconds and since the last break, to have written that file. A break is whatever may mean that another
 * process has taken the port: nobody answered, the token was refused, the file changed.
 */
export class RequestTransport implements Transport {
	private proven: Proven | null = null;
	/** A proof that is under way, for whoever asks meanwhile; none from before a break. */
	private proving: { url: string; secret: string; proof: Promise<Proven> } | null = null;

	constructor(
		private readonly requestUrl: RequestUrl,
		private readonly folder: () => Promise<string>,
		private readonly token: () => string | null,
		private readonly now: () => number = () => Date.now(),
	) {}

	async send(asked: ApiRequest): Promise<ApiReply> {
		const { url, secret } = await this.daemon();
		const reply = await this.sendTo(url, asked);
		if (reply.status !== 401) return reply;
		this.forget();
		const again = await this.daemon();
		return again.secret === secret ? reply : this.sendTo(again.url, asked);
	}

	/** Forget the address: another folder was chosen. */
	forget(): void {
		this.proven = null;
		this.proving = null;
	}

	private async sendTo(url: string, { method, path, body, seconds }: ApiRequest): Promise<ApiReply> {
		const token = this.token();
		const headers: Record<string, string> = {
			Accept: "application/json",
			...(token ? { Authorization: `Bearer ${token}` } : {}),
		};
		try {
			return await this.request(
				{
					url: url + path,
					method,
					headers,
					...(body === undefined ? {} : { contentType: "application/json", body: JSON.stringify(body) }),
				},
				seconds,
			);
		} catch (error) {
			this.forget();
			throw error;
		}
	}

	private async daemon(): Promise<Proven> {
		const found = await readDiscovery(await this.folder());
		if (!found) throw ApiError.unreachable();
		const { proven } = this;
		if (proven && proven.secret === found.secret && proven.url === found.url && this.now() - proven.at < TRUSTED_MS)
			return proven;
		if (this.proving?.url === found.url && this.proving.secret === found.secret) return this.proving.proof;
		this.proven = null;
		const proving = { ...found, proof: this.prove(found) };
		this.proving = proving;
		try {
			const shown = await proving.proof;
			if (this.proving === proving) this.proven = shown;
			return shown;
		} finally {
			if (this.proving === proving) this.proving = null;
		}
	}

	private async prove({ url, secret }: Discovery): Promise<Proven> {
		const challenge = newChallenge();
		const reply = await this.request({ url: `${url}/health?challenge=${challenge}`, method: "GET" });
		const answer = (reply.body as { proof?: unknown } | null)?.proof;
		if (!(await isProof(secret, challenge, answer))) throw ApiError.unreachable();
		return { url, secret, at: this.now() };
	}

	private async request(options: UrlRequest, seconds?: number): Promise<ApiReply> {
		let timer: number | undefined;
		const timeout = new Promise<never>((_, reject) => {
			timer = window.setTimeout(
				() => reject(ApiError.unreachable()),
				seconds === undefined ? TIMEOUT_MS : seconds * 1_000,
			);
		});
		const reply = this.requestUrl({ ...options, throw: false }).then(
			({ status, text }) => ({ status, body: parsed(text) }),
			() => {
				throw ApiError.unreachable();
			},
		);
		return Promise.race([reply, timeout]).finally(() => window.clearTimeout(timer));
	}
}

function parsed(text: string): unknown {
	try {
		return text === "" ? null : JSON.parse(text);
	} catch {
		return null;
	}
}
