import type { Credential, Unanswered } from "../../api/wire";
import { language, say } from "../../words/say";
import type { Host } from "../host";
import { h, muted, setAttr, type Child } from "../shared/dom";
import { folderOf, nameOf } from "../shared/format";
import { icon } from "../shared/icons";
import { button, emptyNotice, unreadNotice } from "../shared/notice";
import { pathWords } from "../shared/paths";
import { chipGroup, decideHere, filterChip, outermostFolders, unansweredLines } from "../shared/workList";
import { kindOf } from "./labels";
import { byNote, kinds, narrowed, noteKey, placeOf, type Chosen, type CredentialNote } from "./worklist";

export type Standing = Credential["standing"];
type Decide = (found: readonly Credential[], standing: Standing) => void;

/** All that is known of the credentials. */
export interface Report {
	open: readonly Credential[];
	decided: readonly Credential[];
	/** How many are in other vaults. */
	elsewhere: number;
	unanswered: readonly Unanswered[];
	/** What has not been read yet, where nothing is open. */
	missing: readonly string[];
	mayDecide: boolean;
}

/** What is to be said before the list, or in its place where nothing waits. */
export function stateNotice({ open, decided, elsewhere, unanswered, missing }: Report): HTMLElement[] {
	const closed = unansweredLines(unanswered);
	if (open.length > 0) return closed;
	if (closed.length === 0 && missing.length > 0) return [focusable(unreadNotice(missing))];
	const isAllSeen = closed.length === 0 && elsewhere === 0 && decided.length > 0;
	const notice =
		closed.length > 0
			? emptyNotice("shield", say("credentials.notAll"), say("credentials.notAll.detail"))
			: elsewhere > 0
				? emptyNotice(
						"shield",
						say("credentials.noneHere"),
						say("credentials.noneHere.detail", { count: elsewhere }),
					)
				: isAllSeen
					? emptyNotice(
							"check",
							say("credentials.allSeen"),
							say("credentials.allSeen.detail", { count: decided.length }),
						)
					: emptyNotice("shield", say("credentials.none"), say("credentials.none.clean"));
	return [...closed, focusable(notice)];
}

function focusable(notice: HTMLElement): HTMLElement {
	setAttr(notice, "tabindex", -1);
	return notice;
}

/** How many wait, how far one has come, and what can be done. */
export function reportHead({ open, decided, mayDecide }: Report, host: Host): HTMLElement {
	const all = open.length + decided.length;
	const seen = say("credentials.progress", { seen: decided.length, all });
	const howMany = say("credentials.inNotes", {
		credentials: say("count.credentials", { count: open.length }),
		notes: say("count.notes", { count: byNote(open).length }),
	});
	const progress = h("progress", {
		class: "sj-progress",
		attrs: { max: all, value: decided.length, "aria-label": seen },
	});
	return h(
		"div",
		{},
		h("div", { class: "sj-pane-head" }, icon("shield", "sj-icon sj-warn"), h("h2", { text: howMany })),
		decided.length > 0 &&
			h("div", { class: "sj-progress-line" }, progress, h("span", { class: "sj-muted", text: seen })),
		muted(say("credentials.about")),
		muted(say(mayDecide ? "credentials.deciding" : "credentials.asking")),
		decideHere(mayDecide, host),
	);
}

/** Chips that show one kind, or what is below one folder, where there are several. */
export function filterChips(
	open: readonly Credential[],
	chosen: Chosen,
	choose: (next: Chosen) => void,
): HTMLElement[] {
	const rules = kinds(narrowed(open, { ...chosen, kind: null })).map(({ kind, count }) => {
		const isPressed = chosen.kind === kind;
		const next = { ...chosen, kind: isPressed ? null : kind };
		return filterChip(`kind ${kind}`, `${kind} ${count}`, isPressed, () => choose(next));
	});
	const places = outermostFolders(open.map(({ path }) => path)).map((folder) => {
		const isPressed = chosen.folder === folder;
		const next = { ...chosen, folder: isPressed ? null : folder };
		const text = `${folder} ${narrowed(open, { ...chosen, folder }).length}`;
		return filterChip(`folder ${folder}`, text, isPressed, () => choose(next));
	});
	return [...chipGroup(say("credentials.kinds"), rules), ...chipGroup(say("credentials.folders"), places)];
}

/** A note and what was found in it, as far as it has rows; where there is more than one, the `whole` is done at once. decide: null where this client may not. */
export function noteCard(
	{ profile, vault, path, found }: CredentialNote,
	whole: readonly Credential[],
	row: (each: Credential) => HTMLElement,
	decide: Decide | null,
): HTMLElement {
	const all =
		decide && whole.length > 1 && button({ label: say("credentials.noteDone"), act: () => decide(whole, "done") });
	if (all) {
		setAttr(all, "aria-label", `${say("credentials.noteDone")}: ${nameOf(path)}`);
		setAttr(all, "data-focus", `note ${noteKey({ profile, vault, path })}`);
	}
	const place = [...new Set([profile, vault, folderOf(path)])]
		.filter((part) => part !== "")
		.flatMap((part, index): Child[] => [index > 0 && " › ", h("bdi", {}, ...pathWords(part))]);
	return h(
		"section",
		{ class: "sj-card", attrs: { "aria-label": nameOf(path) } },
		h(
			"div",
			{ class: "sj-card-head" },
			h("h3", { text: nameOf(path), attrs: { dir: "auto" } }),
			h("span", { class: "sj-muted" }, ...place),
			all,
		),
		h("ul", { class: "sj-findings" }, ...found.map(row)),
	);
}

export interface RowActions {
	go: () => void;
	mark: () => void;
	/** null where this client may not. */
	decide: Decide | null;
	/** Is it asked whether to allow this value everywhere? */
	asked: boolean;
	ask: (isAsked: boolean) => void;
}

/** One finding, with what can be decided about it. What undoes the protection of all notes stands apart, and is asked first. */
export function findingRow(
	each: Credential,
	isCurrent: boolean,
	{ go, mark, decide, asked, ask }: RowActions,
): HTMLElement {
	const place = h(
		"button",
		{
			class: "sj-finding",
			attrs: {
				"aria-current": isCurrent ? "true" : undefined,
				"data-focus": placeOf(each),
				tabindex: isCurrent ? 0 : -1,
			},
			on: { click: go, focus: mark },
		},
		h("span", { class: "sj-line-number", text: say("credentials.line", { line: each.line }) }),
		h("span", { text: kindOf(each), title: language() === "en" ? each.about : "" }),
	);
	return h(
		"li",
		{ class: "sj-finding-row" },
		place,
		decision(say("credentials.done"), each, "done", decide),
		decision(say("credentials.allow"), each, "allowed", decide),
		decide && everywhere(each, decide, asked, ask),
	);
}

function everywhere(each: Credential, decide: Decide, asked: boolean, ask: (isAsked: boolean) => void): HTMLElement {
	if (!asked)
		return named(
			button({ label: say("credentials.everywhere"), act: () => ask(true) }, "sj-everywhere"),
			each,
			"everywhere",
		);
	return h(
		"div",
		{ class: "sj-asked", attrs: { role: "group", "aria-label": say("credentials.everywhere") } },
		h("span", { text: say("credentials.everywhere.asked") }),
		named(
			button(
				{ label: say("credentials.everywhere.yes"), act: () => decide([each], "everywhere") },
				"sj-button sj-button-danger",
			),
			each,
			"everywhere",
		),
		button({ label: say("do.cancel"), act: () => ask(false) }),
	);
}

/** What was decided, as many as `most`, each to be taken back; null where nothing was. isOpen: unfolded, as it was before. */
export function decidedList(
	decided: readonly Credential[],
	most: number,
	isOpen: boolean,
	decide: Decide | null,
	showAll: () => void,
): HTMLElement | null {
	if (decided.length === 0) return null;
	const rows = decided.slice(0, most).map((each) => {
		const words = say("credentials.decidedRow", {
			path: each.path,
			line: each.line,
			about: kindOf(each),
			standing: say(`standing.${each.standing}`),
		});
		return h(
			"li",
			{ class: "sj-finding-row" },
			h("span", { class: "sj-path", text: words }),
			decision(say("do.undo"), each, "open", decide),
		);
	});
	return h(
		"details",
		{ class: "sj-failures", attrs: { open: isOpen } },
		h("summary", {
			text: say("credentials.decided", { count: decided.length }),
			attrs: { "data-focus": "decided" },
		}),
		h("ul", {}, ...rows),
		decided.length > most &&
			button({ label: say("notice.others", { count: decided.length - most }), act: showAll }),
	);
}

function decision(label: string, each: Credential, standing: Standing, decide: Decide | null): HTMLElement | null {
	if (!decide) return null;
	return named(button({ label, act: () => decide([each], standing) }), each, standing);
}

/** The button, called by what it is about. */
function named(element: HTMLButtonElement, each: Credential, standing: Standing): HTMLButtonElement {
	const words = { decision: element.textContent ?? "", line: each.line, about: kindOf(each) };
	setAttr(element, "aria-label", say("credentials.decision", words));
	setAttr(element, "data-focus", `${standing} ${placeOf(each)}`);
	return element;
}
