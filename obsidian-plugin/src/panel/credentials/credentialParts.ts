import type { Credential, Unanswered } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { h, muted, setAttr } from "../shared/dom";
import { folderOf, nameOf } from "../shared/format";
import { icon } from "../shared/icons";
import { button, emptyNotice } from "../shared/notice";
import { chipGroup, decideHere, filterChip, outermostFolders, unansweredLines } from "../shared/workList";
import { byNote, kinds, narrowed, placeOf, type Chosen, type CredentialNote } from "./worklist";

export type Standing = Credential["standing"];
type Decide = (each: Credential, standing: Standing) => void;

/** All that is known of the credentials. */
export interface Report {
	open: readonly Credential[];
	decided: readonly Credential[];
	/** How many are in other vaults. */
	elsewhere: number;
	unanswered: readonly Unanswered[];
	mayDecide: boolean;
}

/** What is to be said before the list, or in its place where nothing waits. */
export function stateNotice({ open, decided, elsewhere, unanswered }: Report): HTMLElement[] {
	const closed = unansweredLines(unanswered);
	if (open.length > 0) return closed;
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
	setAttr(notice, "tabindex", -1);
	return [...closed, notice];
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
	const rules = kinds(narrowed(open, { ...chosen, rule: null })).map(({ rule, about, count }) => {
		const isPressed = chosen.rule === rule;
		const next = { ...chosen, rule: isPressed ? null : rule };
		return filterChip(`rule ${rule}`, `${about} ${count}`, isPressed, () => choose(next));
	});
	const places = outermostFolders(open.map(({ path }) => path)).map((folder) => {
		const isPressed = chosen.folder === folder;
		const next = { ...chosen, folder: isPressed ? null : folder };
		const text = `${folder} ${narrowed(open, { ...chosen, folder }).length}`;
		return filterChip(`folder ${folder}`, text, isPressed, () => choose(next));
	});
	return [...chipGroup(say("credentials.kinds"), rules), ...chipGroup(say("credentials.folders"), places)];
}

/** A note and what was found in it. */
export function noteCard(
	{ profile, vault, path, found }: CredentialNote,
	row: (each: Credential) => HTMLElement,
): HTMLElement {
	return h(
		"section",
		{ class: "sj-card", attrs: { "aria-label": nameOf(path) } },
		h(
			"div",
			{ class: "sj-card-head" },
			h("h3", { text: nameOf(path) }),
			h("span", {
				class: "sj-muted",
				text: [...new Set([profile, vault, folderOf(path)])].filter((part) => part !== "").join(" › "),
			}),
		),
		h("ul", { class: "sj-findings" }, ...found.map(row)),
	);
}

/** One finding, with what can be decided about it. decide: null where this client may not. */
export function findingRow(
	each: Credential,
	isCurrent: boolean,
	{ go, mark, decide }: { go: () => void; mark: () => void; decide: Decide | null },
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
		h("span", { text: each.about }),
	);
	return h(
		"li",
		{ class: "sj-finding-row" },
		place,
		decision(say("credentials.done"), each, "done", decide),
		decision(say("credentials.allow"), each, "allowed", decide),
		decision(say("credentials.everywhere"), each, "everywhere", decide),
	);
}

/** What was decided, each to be taken back; null where nothing was. isOpen: unfolded, as it was before. */
export function decidedList(
	decided: readonly Credential[],
	isOpen: boolean,
	decide: Decide | null,
): HTMLElement | null {
	if (decided.length === 0) return null;
	const rows = decided.map((each) => {
		const words = say("credentials.decidedRow", {
			path: each.path,
			line: each.line,
			about: each.about,
			standing: say(`standing.${each.standing}`),
		});
		return h(
			"li",
			{ class: "sj-finding-row" },
			h("span", { class: "sj-path", text: words }),
			decision(say("credentials.undo"), each, "open", decide),
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
	);
}

function decision(label: string, each: Credential, standing: Standing, decide: Decide | null): HTMLElement | null {
	if (!decide) return null;
	const element = button({ label, act: () => decide(each, standing) });
	setAttr(
		element,
		"aria-label",
		say("credentials.decision", { decision: label, line: each.line, about: each.about }),
	);
	setAttr(element, "data-focus", `${standing} ${placeOf(each)}`);
	return element;
}
