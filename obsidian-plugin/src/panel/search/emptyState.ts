import type { Client } from "../../api/client";
import { asApiError, type ApiError } from "../../api/errors";
import type { OfferedNote } from "../../api/words";
import { say } from "../../words/say";
import type { Host } from "../host";
import { emptyRows, type Row } from "../results/rows";
import { h } from "../shared/dom";
import { emptyNotice, errorNotice, helpFor, unreadNotice } from "../shared/notice";
import { whatIsMissing } from "../status/missing";
import { filters } from "./box/completion";
import type { QueryHistory } from "./box/history";
import type { NamedSearches } from "./namedSearches";

const SHOWN_QUERIES = 5;
const SHOWN_NOTES = 8;

export interface EmptyStateOptions {
	client: Client;
	host: Host;
	history: QueryHistory;
	named: NamedSearches;
	activeNote?: () => { vault: string; path: string } | null;
	onFilter: (filter: string) => void;
	onChange: () => void;
}

/** What an empty search box offers: filters to try, past queries, notes related to the active one, recent notes. */
export class EmptyState {
	readonly filters: HTMLElement;
	private related: OfferedNote[] = [];
	private recent: OfferedNote[] = [];
	private missing: readonly string[] = [];
	private error: ApiError | null = null;
	private loaded = false;

	constructor(private readonly options: EmptyStateOptions) {
		const buttons = filters().map(({ value, about = "" }) =>
			h(
				"button",
				{
					class: "sj-filter",
					attrs: { "aria-label": `${value} ${about}` },
					on: { click: () => options.onFilter(value) },
				},
				h("code", { text: value }),
				about,
			),
		);
		this.filters = h(
			"div",
			{ class: "sj-filters", attrs: { role: "group", "aria-label": say("empty.filters") } },
			...buttons,
		);
	}

	/** Ask the daemon anew. Never rejects: what fails is shown by `notice`. */
	async load(): Promise<void> {
		const { client, activeNote } = this.options;
		const active = activeNote?.() ?? null;
		try {
			const [recent, related] = await Promise.all([
				client.askIfOffered("GET /v1/recent", { limit: SHOWN_NOTES }),
				active ? client.askIfOffered("GET /v1/related", { vault: active.vault, path: active.path }) : null,
			]);
			this.recent = recent?.notes ?? [];
			this.related = (related?.notes ?? []).slice(0, SHOWN_NOTES);
			this.missing = this.recent.length === 0 ? await whatIsMissing(client) : [];
			this.error = null;
		} catch (error) {
			this.error = asApiError(error);
		}
		this.loaded = true;
		this.options.onChange();
	}

	/** Did the daemon say that there is nothing to search yet? */
	get isWithoutProfile(): boolean {
		return this.error?.code === "no-profiles";
	}

	rows(): Row[] {
		if (this.error) return [];
		const { history, named } = this.options;
		return emptyRows(named.list(), history.list().slice(0, SHOWN_QUERIES), this.related, this.recent);
	}

	notice(): HTMLElement | null {
		if (this.error)
			return errorNotice(
				this.error,
				helpFor(this.error, this.options.host, () => void this.load()),
			);
		if (!this.loaded) return null;
		if (this.missing.length > 0) return unreadNotice(this.missing);
		if (this.rows().length > 0) return null;
		return emptyNotice("sparkle", say("empty.title"), say("empty.detail"));
	}
}
