import { button, emptyNotice, errorNotice, helpFor, type NoticeAction } from "../shared/notice";
import { h } from "../shared/dom";
import { count } from "../shared/format";
import { isOnlyFilters } from "./queryParts";
import type { SearchResponse } from "../../api/wire";
import type { Host } from "../host";
import type { SessionState } from "./session";

export interface NoticeActions {
	host: Host;
	create: (() => void) | undefined;
	retry: () => void;
	/** Search for the words as they were typed, though no note has them. */
	takeAsTyped: () => void;
	/** Put another query in the box. */
	search: (query: string) => void;
	/** How to search by words and by meaning instead, where it is not done so. */
	widen: () => (() => void) | undefined;
}

/** What to say about an answer besides its results; null for an answer that speaks for itself. */
export function answerNotice(state: SessionState, actions: NoticeActions): HTMLElement | null {
	const { error, response, query, answered, busy } = state;
	const retry = { label: "Try again", act: actions.retry };
	if (error) return errorNotice(error, helpFor(error, actions.host, actions.retry));
	if (!response || answered !== query) return null;
	if (response.unanswered.length > 0) return banner(`${response.unanswered.map(({ profile, reason }) => `${profile} did not answer. ${reason}`).join(" ")} These results are without it.`, retry);
	const warning = response.warnings[0];
	if (warning) {
		const { instead } = warning;
		return banner(warning.message, instead === "" ? undefined : { label: "Filter by it", act: () => actions.search(instead) });
	}
	if (response.semantic === "unavailable") return banner("The model does not answer, so this search is by words only.", retry);
	if (response.results.length > 0) return aboutResults(response, actions);
	if (busy) return null;
	if (isOnlyFilters(query)) return emptyNotice("search", "No note passes these filters", "Take one of them out, or write it in another way.");
	const offers: NoticeAction[] = [];
	const widen = actions.widen();
	if (widen) offers.push({ label: "Search by words and meaning", act: widen });
	if (actions.create) offers.push({ label: "Create this note", act: actions.create });
	return emptyNotice("search", "Nothing found", `No note answers “${query.trim()}”. Try fewer or other words, or fewer filters.`, ...offers);
}

/** What stands before results that are not quite what was asked for; null where they are. */
function aboutResults(response: SearchResponse, actions: NoticeActions): HTMLElement | null {
	const said = response.notices.map((notice) => notice.text);
	if (response.relevance === "low") said.push("None of these is likely what you meant.");
	if (said.length === 0) return null;
	const isMended = response.notices.some((notice) => notice.code === "mended");
	return banner(said.join(" "), isMended ? { label: "Search for what I typed", act: actions.takeAsTyped } : undefined);
}

/** How many of the notes that match are shown, how fast, and what is still missing; "" where nothing was found. */
export function summaryOf(response: SearchResponse): string {
	if (response.results.length === 0) return "";
	const parts = [howMany(response), `${Math.max(1, Math.round(response.took_ms))} ms`];
	if (response.pending_embeddings > 0) parts.push(`${count(response.pending_embeddings, "passage")} found by words only for now`);
	return parts.join(" · ");
}

/** The same to be said once: without the milliseconds, and with what nobody found. */
export function spokenSummary(response: SearchResponse): string {
	if (response.results.length === 0) return "Nothing found";
	return response.relevance === "low" ? `${howMany(response)}, none of them likely` : howMany(response);
}

/** "20 of 406 notes": those that hold the words; where meaning alone found some, they are told apart. */
function howMany({ results, total_notes: total }: SearchResponse): string {
	if (total === null) return count(results.length, "note");
	const matches = results.filter((result) => result.found_by === "words");
	const shown = matches.reduce((sum, result) => sum + 1 + result.also_in.length, 0);
	const others = results.length - matches.length;
	const beside = others > 0 ? `${others} by meaning` : "";
	if (total === 0) return beside;
	const here = shown < total ? `${shown} of ${count(total, "note")}` : count(total, "note");
	return beside ? `${here} + ${beside}` : here;
}

function banner(words: string, offer?: NoticeAction): HTMLElement {
	return h("div", { class: "sj-banner", attrs: { role: "alert" } }, h("span", { text: words }), offer !== undefined && button(offer));
}
