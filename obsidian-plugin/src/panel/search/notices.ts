import { button, emptyNotice, errorNotice, type NoticeAction } from "../shared/notice";
import { h } from "../shared/dom";
import { count, listed } from "../shared/format";
import { isOnlyFilters } from "./completion";
import type { SearchResponse } from "../../api/wire";
import type { SessionState } from "./session";

export interface NoticeActions {
	create: (() => void) | undefined;
	retry: () => void;
	/** Search by words and by meaning instead. */
	widen: (() => void) | undefined;
}

/** What to say about an answer besides its results; null for an answer that speaks for itself. */
export function answerNotice(state: SessionState, actions: NoticeActions): HTMLElement | null {
	const { error, response, query, answered, busy } = state;
	if (error) return errorNotice(error, { label: "Try again", act: actions.retry });
	if (!response || answered !== query) return null;
	if (response.unanswered.length > 0) return banner(`${listed(response.unanswered)} did not answer; these results are without it.`, actions.retry);
	const warning = response.warnings[0];
	if (warning) return banner(warning.message);
	if (response.semantic === "unavailable") return banner("The model does not answer, so this search is by words only.", actions.retry);
	if (response.results.length > 0 || busy) return null;
	if (isOnlyFilters(query)) return emptyNotice("search", "Add a word to look for", "Filters narrow a search down: say what to find among these notes.");
	const offers: NoticeAction[] = [];
	if (actions.widen) offers.push({ label: "Search by words and meaning", act: actions.widen });
	if (actions.create) offers.push({ label: "Create this note", act: actions.create });
	return emptyNotice("search", "Nothing found", `No note answers “${query.trim()}”. Try fewer or other words, or fewer filters.`, ...offers);
}

/** How many notes were found, whether any fits, how fast, and what is still missing; "" where nothing was found. */
export function summaryOf(response: SearchResponse, hasMore: boolean): string {
	const found = response.results.length;
	if (found === 0) return "";
	const parts = [`${count(found, "note").replace(" ", hasMore ? "+ " : " ")}`, `${Math.max(1, Math.round(response.took_ms))} ms`];
	if (response.relevance === "low") parts.splice(1, 0, "none fits well");
	if (response.pending_embeddings > 0) parts.push(`${count(response.pending_embeddings, "passage")} found by words only for now`);
	return parts.join(" · ");
}

function banner(words: string, retry?: () => void): HTMLElement {
	return h("div", { class: "sj-banner", attrs: { role: "alert" } }, h("span", { text: words }), retry !== undefined && button({ label: "Try again", act: retry }));
}
