import { asApiError, type ApiError } from "../../api/errors";
import { say, sayAround, type WordKey } from "../../words/say";
import type { Host } from "../host";
import { fill, h, keepFocus, setAttr, type Child } from "./dom";
import { icon, type IconName } from "./icons";
import { trouble } from "./trouble";

export interface NoticeAction {
	label: string;
	act: () => void;
}

/** What starts the daemon in a terminal of this machine, as it said itself when it last ran. */
let typed = "scrubjay";
export function startCommand(): string {
	return `${typed} start`;
}

/** command: what is typed for `scrubjay`; "": the daemon does not tell this client. */
export function learnCommand(command: string): void {
	if (command !== "") typed = command;
}

/** A calm message in the middle of an empty pane. */
export function emptyNotice(name: IconName, title: string, detail: Child, ...actions: NoticeAction[]): HTMLElement {
	return h(
		"div",
		{ class: "sj-notice" },
		icon(name, "sj-notice-icon"),
		h("div", { class: "sj-notice-title", text: title }),
		h("div", { class: "sj-notice-detail" }, detail),
		actions.length > 0 && h("div", { class: "sj-notice-actions" }, ...actions.map((action) => button(action))),
	);
}

/** In place of a list in which nothing stands though not all is known: what has not been read, or is closed. */
export function unreadNotice(missing: readonly string[]): HTMLElement {
	const lines = missing.map((text) => h("div", { text }));
	return emptyNotice("clock", say("unread.title"), h("div", {}, ...lines));
}

/** Said where the daemon lacks an endpoint, or does not let this client use it. */
export function notOffered(name: IconName, what: Extract<WordKey, `missing.${string}`>): HTMLElement {
	return emptyNotice(name, say("missing.title"), say(what));
}

/** What helps after an error: to be let in or to choose a vault where that is what is missing, else to try once more. */
export function helpFor(error: ApiError, host: Host, retry: () => void): NoticeAction {
	if (error.isUnauthorized && host.connect) return { label: say("do.pair"), act: () => host.connect?.() };
	if (error.code === "no-profiles" && host.chooseVault)
		return { label: say("profiles.choose"), act: () => host.chooseVault?.() };
	return { label: say("do.retry"), act: retry };
}

/** What went wrong and what to do, in the place where the answer would have been. */
export function errorNotice(error: ApiError, ...actions: NoticeAction[]): HTMLElement {
	const { title, detail, name } = wordsFor(error);
	const notice = emptyNotice(name, title, detail, ...actions);
	notice.setAttribute("role", "alert");
	return notice;
}

/** What went wrong, with a button to try once more. */
export function retryNotice(error: unknown, retry: () => void): HTMLElement {
	return errorNotice(asApiError(error), { label: say("do.retry"), act: retry });
}

/** Show a notice in place of what `parent` holds. The focus, where it was in there, goes to what can be done about it, or to its words. */
export function replaceByNotice(parent: Element, notice: HTMLElement): void {
	setAttr(notice, "tabindex", -1);
	if (keepFocus(parent, () => fill(parent, notice))) (notice.querySelector("button") ?? notice).focus();
}

function wordsFor(error: ApiError): { title: string; detail: Child; name: IconName } {
	if (error.isUnreachable) {
		return {
			title: say("offline.title"),
			detail: h("span", {}, ...sayAround("offline.detail", { command: h("code", { text: startCommand() }) })),
			name: "plug",
		};
	}
	if (error.code === "no-profiles")
		return { title: say("noProfiles.title"), detail: say("noProfiles.detail"), name: "layers" };
	if (error.isUnauthorized) return { title: say("unpaired.title"), detail: say("unpaired.detail"), name: "key" };
	return { title: say("failed.title"), detail: trouble(error), name: "warning" };
}

export function button({ label, act }: NoticeAction, className = "sj-button"): HTMLButtonElement {
	return h("button", { class: className, text: label, on: { click: act } });
}
