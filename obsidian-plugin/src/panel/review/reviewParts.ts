import type { Proposal } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { h, muted, setAttr } from "../shared/dom";
import { folderOf, nameOf } from "../shared/format";
import { icon } from "../shared/icons";
import { button, emptyNotice, unreadNotice } from "../shared/notice";
import { folderAnd, pathWords } from "../shared/paths";
import { chipGroup, decideHere, filterChip, outermostFolders, unansweredLines } from "../shared/workList";
import { waitingOf, type Answer, type Chosen, type Kind, type Queue } from "./queue";

/** What was said yes to and is not written yet, where it is written in one go. */
export interface AcceptedPart {
	readonly element: HTMLElement;
	/** What a yes comes to. */
	readonly about: string;
	/** So many were said yes to. written: notes were written, which can be taken back. */
	show(count: number, written: boolean): void;
	/** Is called with each run that was written (true), and that was taken back. */
	onRun: (run: string, isWritten: boolean) => void;
	/** Take back what was written in one go. */
	undo(run: string): void;
	/** Show all that would be written; once that is shown, write it. */
	go(): void;
}

/** What can be done with one proposal. */
export interface RowActs {
	go: () => void;
	mark: () => void;
	answer: ((said: Answer) => void) | null;
	/** Refuses all that the same program put forward; null for who may not decide. */
	clear: (() => void) | null;
	open: (path: string, line: number) => void;
	isTicked: (id: string) => boolean;
	tick: (id: string) => void;
}

/** What is to be said before the list, or in its place where nothing waits. */
export function stateNotice(queue: Queue, chosen: Chosen): HTMLElement[] {
	const closed = unansweredLines(queue.unanswered);
	const more = queue.waiting > 0 && muted(say("review.waiting", { count: queue.waiting }));
	if (queue.proposals.length > 0) return more ? [...closed, more] : closed;
	const isNarrowed = chosen.kind !== null || chosen.folder !== null;
	const notice =
		queue.waiting > 0
			? emptyNotice("sparkle", say("review.looking"), say("review.waiting", { count: queue.waiting }))
			: isNarrowed && waitingOf(queue) > 0
				? emptyNotice("check", say("review.noneSuch"), "")
				: closed.length === 0 && queue.missing.length > 0
					? unreadNotice(queue.missing)
					: closed.length > 0
						? emptyNotice("check", say("credentials.notAll"), "")
						: emptyNotice("check", say("review.none"), say("review.none.detail"));
	setAttr(notice, "tabindex", -1);
	return [...closed, notice];
}

/** How many wait, and what can be done. */
export function reviewHead(queue: Queue, host: Host, accepted: AcceptedPart | undefined): HTMLElement {
	const { mayDecide } = queue;
	const how = !mayDecide ? say("review.asking") : accepted ? accepted.about : say("review.writes");
	return h(
		"div",
		{},
		h(
			"div",
			{ class: "sj-pane-head" },
			icon("check"),
			h("h2", { text: say("review.count", { count: waitingOf(queue) }) }),
		),
		queue.proposals.length > 0 && muted(how, mayDecide && ` ${say("review.keys")}`),
		decideHere(mayDecide, host),
	);
}

/** Chips that show one kind, or what is in one folder, where there are several. */
export function filterChips(
	{ counts, proposals }: Queue,
	chosen: Chosen,
	choose: (next: Chosen) => void,
): HTMLElement[] {
	const kinds = counts.map(({ kind, count }) => {
		const isPressed = chosen.kind === kind;
		const text = say("review.kindCount", { kind: say(`review.kind.${kind}`), count });
		const next = { ...chosen, kind: isPressed ? null : kind };
		return filterChip(`kind ${kind}`, text, isPressed, () => choose(next));
	});
	const isBelow = chosen.folder !== null;
	const names = chosen.folder === null ? outermostFolders(proposals.map(({ path }) => path)) : [chosen.folder];
	const folders = names.map((folder) =>
		filterChip(`folder ${folder}`, folder, isBelow, () => choose({ ...chosen, folder: isBelow ? null : folder })),
	);
	return [
		...chipGroup(say("credentials.kinds"), kinds),
		...chipGroup(say("credentials.folders"), folders, isBelow ? 0 : 1),
	];
}

/** One proposal; the one that keys are about has all there is to say of it. */
export function proposalRow(proposal: Proposal, isCurrent: boolean, acts: RowActs): HTMLElement {
	const { kind, path, line, title } = proposal;
	const where = folderAnd(path, line > 0 ? say("credentials.line", { line }) : "");
	const head = h(
		"button",
		{
			class: "sj-finding",
			attrs: {
				"aria-current": isCurrent ? "true" : undefined,
				tabindex: isCurrent ? 0 : -1,
				"data-focus": placeOf(proposal),
			},
			on: { click: acts.go, focus: acts.mark },
		},
		h("span", { class: "sj-review-kind", text: say(`review.kind.${kind}`) }),
		h("span", { text: title || nameOf(path), attrs: { dir: "auto" } }),
		h("span", { class: "sj-muted" }, ...where),
	);
	return h("li", { class: "sj-card sj-review-row" }, head, isCurrent && aboutProposal(proposal, acts));
}

/** What the focus is kept by. */
function placeOf({ profile, key }: Proposal, part = ""): string {
	return `${profile} ${key} ${part}`;
}

/** What the numbers of some kinds count. */
const COUNTED: Partial<Record<Kind, "review.linkedFrom" | "review.unchanged" | "review.words">> = {
	"dead-end": "review.linkedFrom",
	long: "review.words",
	stale: "review.unchanged",
	stub: "review.words",
};

/** Of an empty note nothing: its detail is how many bytes it has. */
function detailWords(kind: Kind, detail: string): string {
	const counted = COUNTED[kind];
	return counted ? say(counted, { count: Number(detail) }) : kind === "empty" ? "" : detail;
}

/** All there is to say of a proposal, and what can be answered. */
export function aboutProposal(proposal: Proposal, acts: RowActs): HTMLElement {
	const { quote, detail, by, others, scores, options, kind } = proposal;
	const text = (words: string, name: string): HTMLElement | null =>
		words === "" ? null : h("p", { class: name, text: words, attrs: { dir: "auto" } });
	return h(
		"div",
		{ class: "sj-review-about" },
		text(detailWords(kind, detail), "sj-review-detail"),
		quote !== "" && h("blockquote", { text: quote, attrs: { dir: "auto" } }),
		others.length > 0 &&
			h(
				"ul",
				{ class: "sj-findings" },
				...others.map(({ title, path, line }) =>
					h(
						"li",
						{},
						h(
							"button",
							{ class: "sj-finding", on: { click: () => acts.open(path, line) } },
							h("span", { text: title || nameOf(path), attrs: { dir: "auto" } }),
							h("span", { class: "sj-muted" }, ...pathWords(folderOf(path))),
						),
					),
				),
			),
		scores.length > 0 &&
			h(
				"ul",
				{ class: "sj-review-scores" },
				...scores.map(({ ground, value, why }) =>
					h("li", {
						text: say("review.score", {
							ground: say(`ground.${ground}`),
							percent: say("number.percent", { number: Math.round(value * 100) }),
							why,
						}),
					}),
				),
			),
		options.length > 0 &&
			h(
				"div",
				{ class: "sj-review-options", attrs: { role: "group", "aria-label": say("review.options") } },
				...options.map(({ id, label }) =>
					h(
						"label",
						{},
						h("input", {
							attrs: {
								type: "checkbox",
								checked: acts.isTicked(id),
								disabled: acts.answer === null,
								"data-focus": placeOf(proposal, `option ${id}`),
							},
							on: { change: () => acts.tick(id) },
						}),
						" ",
						label,
					),
				),
			),
		h("div", { class: "sj-review-diff" }),
		acts.answer !== null &&
			h(
				"div",
				{ class: "sj-card-actions" },
				answering("yes", "sj-button sj-button-main", proposal, acts.answer),
				answering("no", "sj-button", proposal, acts.answer),
				answering("later", "sj-button", proposal, acts.answer),
			),
		kind === "suggested" &&
			muted(
				say("review.suggested"),
				acts.clear !== null && " ",
				acts.clear !== null && button({ label: say("review.clear", { program: by }), act: acts.clear }),
			),
	);
}

function answering(
	said: "yes" | "no" | "later",
	name: string,
	proposal: Proposal,
	answer: (said: Answer) => void,
): HTMLElement {
	const { kind, path } = proposal;
	const label = say(`review.answer.${said}`);
	const element = button({ label, act: () => answer(said) }, name);
	setAttr(
		element,
		"aria-label",
		say("review.decision", { decision: label, kind: say(`review.kind.${kind}`), note: nameOf(path) }),
	);
	setAttr(element, "data-focus", placeOf(proposal, said));
	return element;
}
