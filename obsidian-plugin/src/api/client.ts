import { ApiError } from "./errors";
import type { ApiRequest, Method, Transport } from "./transport";
import type { Endpoints, Nothing } from "./wire";

/** An endpoint by its method and path. */
export type Route = keyof Endpoints;

/** What an endpoint is asked; fields that may be left out may be undefined as well. */
type Ask<Of extends Route> = {
	[Field in keyof Endpoints[Of]["ask"]]: object extends Pick<Endpoints[Of]["ask"], Field>
		? Endpoints[Of]["ask"][Field] | undefined
		: Endpoints[Of]["ask"][Field];
};
/** An ask that may be left out, where all its fields may. */
type Asked<Of extends Route> = Endpoints[Of]["ask"] extends Nothing
	? []
	: object extends Ask<Of>
		? [ask?: Ask<Of>]
		: [ask: Ask<Of>];
type Reply<Of extends Route> = Endpoints[Of]["reply"];

/** More than the longest time that the settings let one answer of a language model take, and enough to write a large index anew. */
const PATIENT_SECONDS = 630;
const PATIENT: readonly Route[] = [
	"POST /v1/ask",
	"POST /v1/profiles/{profile_id}/protection",
	"POST /v1/profiles/{profile_id}/backup",
];

/** The daemon's API, typed by `wire.ts`. Every request may reject with `ApiError`. */
export class Client {
	/** Called whenever nobody answered, or the token was refused, so that somebody may look after the connection. */
	onLost: () => void = () => undefined;

	constructor(private readonly transport: Transport) {}

	/** The reply of an endpoint. */
	async ask<Of extends Route>(route: Of, ...[ask]: Asked<Of>): Promise<Reply<Of>> {
		const reply = await this.transport.send(requestOf(route, ask ?? {})).catch((error: unknown) => {
			this.onLost();
			throw error;
		});
		if (reply.status === 401) this.onLost();
		if (reply.status < 200 || reply.status >= 300) throw ApiError.of(reply);
		return reply.body as Reply<Of>;
	}

	/**
	 * As `ask`; null where the daemon lacks the endpoint or does not let this client use it (403, 404, 405, 501), so that
	 * the panel hides what it cannot offer.
	 */
	async askIfOffered<Of extends Route>(route: Of, ...asked: Asked<Of>): Promise<Reply<Of> | null> {
		try {
			return await this.ask(route, ...asked);
		} catch (error) {
			if (error instanceof ApiError && error.isMissing) return null;
			throw error;
		}
	}

	/** Resolves when the stream ends; null where the host cannot stream. */
	events(onEvent: (name: string) => void, signal: AbortSignal): Promise<void> | null {
		return this.transport.events?.("/v1/events", onEvent, signal) ?? null;
	}
}

function requestOf(route: Route, ask: Readonly<Record<string, unknown>>): ApiRequest {
	const [method, template] = route.split(" ") as [Method, string];
	const named = new Set<string>();
	const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		named.add(name);
		return encodeURIComponent(String(ask[name]));
	});
	const others = Object.entries(ask).filter(([name, value]) => !named.has(name) && value !== undefined);
	const patience = PATIENT.includes(route) ? { seconds: PATIENT_SECONDS } : {};
	if (method === "POST") return { method, path, body: Object.fromEntries(others), ...patience };
	const given = others.filter(([, value]) => value !== null).map(([name, value]) => [name, String(value)]);
	const query = new URLSearchParams(given).toString();
	return { method, path: query === "" ? path : `${path}?${query}`, ...patience };
}
