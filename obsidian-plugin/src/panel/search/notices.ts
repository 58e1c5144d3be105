import type { Message } from "../shared/banner";
import { emptyNotice, errorNotice, helpFor, type NoticeAction } from "../shared/notice";
import { noticeWords, unansweredWords, warningWords } from "../shared/told";
import { isOnlyFilters } from "./box/queryParts";
import type { Notice, SearchResponse } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import type { SessionState } from "./session";

export interface NoticeActions {
	host: Host;
	create: (() => void) | undefined;
	retry: () => void;
	/** Search for the words as they were typed, though no note has them. */
	takeAsTyped: () => void;
	/** Find notes that are hidden, too. */
	showHidden: () => void;
	/** Put another query in the box. */
	search: (query: string) => void;
	/** How to search by words and by meaning instead, where it is not done so. */
	widen: () => (() => void) | undefined;
}

/** What tells best why nothing was found. */
const WHY_NOTHING: readonly Notice["code"][] = ["nothing-asked", "unread", "absent-password", "hidden", "dismissed"];

/** What is to be known of an answer, the most pressing first. */
export function messagesOf({ error, response, query, answered }: SessionState, actions: NoticeActions): Message[] {
	if (error || !response || answered !== query) return [];
	const retry = { label: say("do.retry"), act: actions.retry };
	const { unanswered } = response;
	const messages: Message[] = [];
	if (unanswered.length > 0)
		messages.push({
			text: say("notice.without", {
				profiles: unanswered
					.map((each) => say("notice.unanswered", { profile: each.profile, reason: unansweredWords(each) }))
					.join(" "),
			}),
			action: retry,
			isOfLock: unanswered.every(({ code }) => code === "locked"),
		});
	for (const warning of response.warnings)
		messages.push({
			text: warningWords(warning, query),
			action: warning.instead
				? { label: say("notice.filterBy"), act: () => actions.search(warning.instead) }
				: undefined,
		});
	if (response.semantic === "unavailable") messages.push({ text: say("notice.noModel"), action: retry });
	return [...messages, ...(response.results.length > 0 ? aboutResults(response, actions) : [])];
}

/** What stands in place of results where there are none; null where there are, or it is not known yet. */
export function noticeInstead(state: SessionState, actions: NoticeActions): HTMLElement | null {
	const { error, response, query, answered, busy } = state;
	if (error) return errorNotice(error, helpFor(error, actions.host, actions.retry));
	if (!response || answered !== query || busy || response.results.length > 0) return null;
	if (response.unanswered.length > 0) return null; // whose profile may hold what is looked for
	// Of filters that were left out, or searched as words, it is not known whether a note passes.
	if (isOnlyFilters(query) && response.warnings.length === 0)
		return emptyNotice("search", say("notice.noneFiltered"), say("notice.noneFiltered.detail"));
	const offers: NoticeAction[] = [];
	const widen = actions.widen();
	if (widen) offers.push({ label: say("notice.widen"), act: widen });
	if (hasHidden(response)) offers.push(showsHidden(actions));
	if (actions.create) offers.push({ label: say("notice.create"), act: actions.create });
	const why = response.notices.find(({ code }) => WHY_NOTHING.includes(code));
	return emptyNotice(
		"search",
		say("notice.nothing"),
		why ? noticeWords(why) : say("notice.nothing.detail", { query: query.trim() }),
		...offers,
	);
}

/** Were there notes that nobody had read when this was answered? */
export function isReadInPart({ notices }: SearchResponse): boolean {
	return notices.some(({ code }) => code === "unread");
}

function hasHidden({ notices }: SearchResponse): boolean {
	return notices.some(({ code }) => code === "hidden" || code === "dismissed");
}

function showsHidden({ showHidden }: NoticeActions): NoticeAction {
	return { label: say("notice.showHidden"), act: showHidden };
}

/** What is to be known of results that are not quite what was asked for. */
function aboutResults(response: SearchResponse, actions: NoticeActions): Message[] {
	const said = response.notices.map(noticeWords);
	if (response.relevance === "low") said.push(say("notice.unlikely"));
	if (said.length === 0) return [];
	const text = said.join(" ");
	const isMended = response.notices.some((notice) => notice.code === "mended");
	if (isMended) return [{ text, action: { label: say("notice.asTyped"), act: actions.takeAsTyped } }];
	const offered = response.notices.find((notice) => notice.code === "offered")?.query;
	if (offered !== undefined)
		return [{ text, action: { label: say("notice.searchOffered"), act: () => actions.search(offered) } }];
	return [{ text, action: hasHidden(response) ? showsHidden(actions) : undefined }];
}

/** How many of the notes that match are shown, and what is still missing; "" where nothing was found. */
export function summaryOf(response: SearchResponse): string {
	if (response.results.length === 0) return "";
	const { pending_embeddings: pending } = response;
	return pending > 0 ? `${howMany(response)} · ${say("summary.pending", { count: pending })}` : howMany(response);
}

/** The same to be said once: without the milliseconds, and with what nobody found. */
export function spokenSummary(response: SearchResponse): string {
	if (response.results.length === 0) return say("notice.nothing");
	return response.relevance === "low" ? say("summary.unlikely", { notes: howMany(response) }) : howMany(response);
}

/** "20 of 406 notes": those that hold the words; where meaning alone found some, they are told apart. */
export function howMany({ results, total_notes: total }: SearchResponse): string {
	if (total === null) return say("count.notes", { count: results.length });
	const matches = results.filter((result) => result.found_by === "words" || result.found_by === "filters");
	const shown = matches.reduce((sum, result) => sum + 1 + result.also_in.length + result.nearly_same.length, 0);
	const others = results.length - matches.length;
	const beside = others > 0 ? say("summary.byMeaning", { count: others }) : "";
	if (total === 0) return beside;
	const all = say("count.notes", { count: total });
	const here = shown < total ? say("summary.of", { shown, notes: all }) : all;
	return beside === "" ? here : say("summary.beside", { notes: here, others: beside });
}
