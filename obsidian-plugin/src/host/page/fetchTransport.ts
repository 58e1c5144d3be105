import { ApiError } from "../../api/errors";
import type { ApiReply, ApiRequest, Transport } from "../../api/transport";

const EVENT_NAME = /^event:\s*(.*)$/;

/** Requests from the daemon's own page: the session's cookie says who asks, the header that it was this page. */
export class FetchTransport implements Transport {
	private csrf = "";

	/** The token that came with the session. */
	useCsrf(token: string): void {
		this.csrf = token;
	}

	async send({ method, path, body }: ApiRequest): Promise<ApiReply> {
		const headers: Record<string, string> = { Accept: "application/json", ...this.proof() };
		const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
		if (body !== undefined) {
			headers["Content-Type"] = "application/json";
			init.body = JSON.stringify(body);
		}
		const reply = await window.fetch(path, init).catch(() => {
			throw ApiError.unreachable();
		});
		const text = await reply.text();
		return { status: reply.status, body: parsed(text) };
	}

	async events(path: string, onEvent: (name: string) => void, signal: AbortSignal): Promise<void> {
		const reply = await window.fetch(path, { headers: { Accept: "text/event-stream", ...this.proof() }, credentials: "same-origin", signal });
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

	private proof(): Record<string, string> {
		return this.csrf === "" ? {} : { "X-Scrubjay-Csrf": this.csrf };
	}
}

function parsed(text: string): unknown {
	try {
		return text === "" ? null : JSON.parse(text);
	} catch {
		return null;
	}
}
