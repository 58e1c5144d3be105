import type { Client } from "../../api/client";
import { asApiError, type ApiError } from "../../api/errors";
import type { SearchResponse } from "../../api/wire";
import { say } from "../../words/say";
import { linkLines } from "../acting/resultLinks";
import type { Host } from "../host";
import { append, fill, h, keepFocus, setAttr } from "../shared/dom";
import { howMany } from "../search/notices";
import { button, type NoticeAction } from "../shared/notice";
import { unansweredWords, warningWords } from "../shared/told";
import { trouble } from "../shared/trouble";
import { readBlock, withoutNote, type BlockQuery } from "./blockQuery";
import { drawNotes } from "./blockViews";

/** The least time between two requests of one block, in milliseconds. */
export const BLOCK_PAUSE_MS = 4_000;

export interface QueryBlockOptions {
	client: () => Client;
	host: Host;
	/** Vault-relative path of the note that the block stands in; it is left out. */
	path: string;
	/** Show the query in the search. */
	search: (query: string) => void;
	/** Put these links, a list in Markdown, in the block's place. */
	freeze?: (links: readonly string[]) => void;
	/** Whether it can be seen now. */
	isInSight: () => boolean;
	/** The last answer to this block, drawn at once. */
	known?: SearchResponse | undefined;
	/** An answer came. */
	onAnswer?: (answer: SearchResponse) => void;
}

/**
 * The notes that a block of code in a note asks for, kept up to date.
 *
 * At most one request is under way, and two are `BLOCK_PAUSE_MS` apart. Out of sight nothing is asked; the block is
 * renewed by the next `refresh` that finds it in sight. Nothing is remembered as a search of the user's.
 */
export class QueryBlock {
	readonly element = h("div", { class: "sj-block" });
	private readonly block: BlockQuery | null;
	private isStale = false;
	private isBusy = false;
	private isGone = false;
	private askedAt = -Infinity;
	private timer: number | undefined;
	/** What is drawn, to be left alone while it stays the same. */
	private shown = "";
	private notes: HTMLElement | null = null;

	constructor(
		source: string,
		private readonly options: QueryBlockOptions,
	) {
		const block = readBlock(source);
		this.block = "problems" in block ? null : block;
		if ("problems" in block)
			append(
				this.element,
				block.problems.map((words) => h("p", { class: "sj-block-note", text: words })),
			);
		else {
			this.element.setAttribute("role", "group");
			setAttr(this.element, "aria-label", say("block.label", { query: block.query }));
			if (options.known) this.draw(options.known, block);
		}
	}

	/** The index may have changed, or the block come into sight. */
	refresh(): void {
		this.isStale = true;
		this.schedule();
	}

	/** Ask where something has changed since the block was last in sight. */
	look(): void {
		if (this.isStale) this.schedule();
	}

	dispose(): void {
		this.isGone = true;
		window.clearTimeout(this.timer);
	}

	private schedule(): void {
		if (this.isBusy || this.isGone || this.timer !== undefined) return;
		const wait = Math.max(0, this.askedAt + BLOCK_PAUSE_MS - Date.now());
		this.timer = window.setTimeout(() => {
			this.timer = undefined;
			if (this.options.isInSight()) void this.ask();
		}, wait);
	}

	/** Ask now, in sight or not. Resolves once the answer, or why there is none, is shown; never rejects. */
	async ask(): Promise<void> {
		if (!this.block || this.isBusy || this.isGone) return;
		const { query, limit, view } = this.block;
		this.isBusy = true;
		this.isStale = false;
		this.askedAt = Date.now();
		try {
			const reply = await this.options
				.client()
				.ask("POST /v1/search", {
					query: withoutNote(query, this.options.path),
					limit: view === "count" ? 1 : limit,
					group: "note",
					remember: false,
				});
			this.options.onAnswer?.(reply);
			if (!this.isGone) this.draw(reply, this.block);
		} catch (error) {
			if (!this.isGone) this.drawTrouble(asApiError(error));
		}
		this.isBusy = false;
		if (this.isStale) this.schedule();
	}

	private draw(response: SearchResponse, { query, view }: BlockQuery): void {
		const { results, total_notes: total, unanswered, warnings } = response;
		const said = [
			...unanswered.map((each) =>
				say("notice.unanswered", { profile: each.profile, reason: unansweredWords(each) }),
			),
			...warnings.map((warning) => warningWords(warning, query)),
		];
		const found = view === "count" ? say("count.notes", { count: total ?? results.length }) : howMany(response);
		const shown = results.length === 0 || (view === "count" && total === 0) ? say("block.none") : found;
		const looks = JSON.stringify([shown, said, results.map((result) => ({ ...result, score: 0 }))]);
		if (looks === this.shown) return;
		this.shown = looks;
		const { freeze, host } = this.options;
		this.notes = drawNotes(view, results, host, new Date());
		this.put(
			said,
			[],
			h(
				"p",
				{ class: "sj-block-foot" },
				h("span", { text: shown }),
				freeze && view !== "count" && results.length > 0
					? button(
							{ label: say("block.freeze"), act: () => freeze(linkLines(host, results)) },
							"sj-block-search",
						)
					: null,
				button({ label: say("block.search"), act: () => this.options.search(query) }, "sj-block-search"),
			),
		);
	}

	/** What was found before stays in sight. */
	private drawTrouble(error: ApiError): void {
		this.shown = "";
		const { host } = this.options;
		if (error.isUnreachable) this.put([say("block.away")], []);
		else if (error.code === "no-profiles") this.put([say("noProfiles.detail")], []);
		else if (error.isUnauthorized)
			this.put(
				[say("unpaired.detail")],
				host.connect ? [{ label: say("do.pair"), act: () => host.connect?.() }] : [],
			);
		else this.put([trouble(error)], []);
	}

	private put(said: readonly string[], actions: readonly NoticeAction[], foot: HTMLElement | null = null): void {
		const notes = said.map((words) => h("p", { class: "sj-block-note", text: words, attrs: { role: "status" } }));
		keepFocus(this.element, () =>
			fill(this.element, ...notes, ...actions.map((action) => button(action)), this.notes, foot),
		);
	}
}
