import { ApiError } from "../../api/errors";
import type { ApiReply, ApiRequest } from "../../api/transport";
import { answerTo } from "./pageKey";
import type { KeyedTransport } from "./session";

/** A daemon that takes longer is frozen, or the machine has just woken up. */
const TIMEOUT_MS = 20_000;
const EVENT_NAME = /^event:\s*(.*)$/;

/**
 * Requests from the daemon's own page: the session's cookie says who asks, the header that it was this page.
 *
 * The header is an answer to the running daemon's instance id. A restarted daemon has another, and the page answers
 * anew; a stranger on the port is sent an answer that opens nothing.
 */
export class FetchTransport implements KeyedTransport {
	private key: CryptoKey | null = null;
	private answer: string | null = null;

	/** The key that came with the session. */
	useKey(key: CryptoKey): void {
		this.key = key;
		this.answer = null;
	}

	async send(request: ApiRequest): Promise<ApiReply> {
		const reply = await this.sendOnce(request);
		if (!isOldAnswer(reply)) return reply;
		this.answer = null;
		return this.sendOnce(request);
	}

	async events(path: string, onEvent: (name: string) => void, signal: AbortSignal): Promise<void> {
		const reply = await window.fetch(path, {
			headers: { Accept: "text/event-stream", ...(await this.proof()) },
			credentials: "same-origin",
			signal,
		});
		if (!reply.ok || !reply.body) return;
		const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
		let rest = "";
		for (let part = await reader.read(); !part.done; part = await reader.read()) {
			const lines = (rest + part.value).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) {
				const name = EVENT_NAME.exec(line.trimEnd())?.[1];
				if (name !== undefined) onEvent(name);
			}
		}
	}

	private async sendOnce({ method, path, body, seconds }: ApiRequest): Promise<ApiReply> {
		const headers: Record<string, string> = { Accept: "application/json", ...(await this.proof()) };
		const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
		if (body !== undefined) {
			headers["Content-Type"] = "application/json";
			init.body = JSON.stringify(body);
		}
		return this.fetch(path, init, seconds);
	}

	private async proof(): Promise<Record<string, string>> {
		if (!this.key) return {};
		this.answer ??= await answerTo(await this.instance(), this.key);
		return { "X-Scrubjay-Csrf": this.answer };
	}

	private async instance(): Promise<string> {
		const { body } = await this.fetch("/health", { credentials: "omit", cache: "no-store" });
		const found = (body as { instance?: unknown } | null)?.instance;
		if (typeof found !== "string") throw ApiError.unreachable();
		return found;
	}

	private async fetch(path: string, init: RequestInit, seconds?: number): Promise<ApiReply> {
		const timeout = new AbortController();
		const timer = window.setTimeout(() => timeout.abort(), seconds === undefined ? TIMEOUT_MS : seconds * 1_000);
		try {
			const reply = await window.fetch(path, { ...init, signal: timeout.signal });
			return { status: reply.status, body: parsed(await reply.text()) };
		} catch {
			this.answer = null;
			throw ApiError.unreachable();
		} finally {
			window.clearTimeout(timer);
		}
	}
}

function isOldAnswer({ status, body }: ApiReply): boolean {
	return status === 403 && (body as { code?: unknown } | null)?.code === "csrf";
}

function parsed(text: string): unknown {
	try {
		return text === "" ? null : JSON.parse(text);
	} catch {
		return null;
	}
}
