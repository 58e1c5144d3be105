import type { SearchResult } from "../../api/wire";
import type { OfferedNote } from "../../api/words";
import { say } from "../../words/say";
import { h, type Child } from "../shared/dom";
import { folderOf, listed } from "../shared/format";
import { icon } from "../shared/icons";
import { timeOf, when } from "../shared/time";
import { reasonWords } from "../shared/told";
import { iconOf, isNote, placeWords } from "../shared/kinds";
import { folderAnd, pathWords } from "../shared/paths";
import {
	highlighted,
	profileBadge,
	rowButton,
	stopped,
	tierMark,
	type CardActions,
	type CardContext,
} from "./cardParts";
import { explanation } from "./explain";
import { relatedCard } from "./relatedCard";
import type { ResultRow, Row } from "./rows";

const MOST_TAGS = 4;

/** Draw one row of the list. Whoever places it sets its role, id and selection. */
export function drawRow(row: Row, context: CardContext): HTMLElement {
	switch (row.kind) {
		case "section":
			return h("div", { class: "sj-row sj-section", text: row.label });
		case "query":
			return h(
				"div",
				{ class: "sj-row sj-line" },
				icon(row.name === "" ? "clock" : "search"),
				h("span", { class: "sj-line-title", text: row.name || row.query, attrs: { dir: "auto" } }),
				row.name === "" ? null : h("span", { class: "sj-muted", text: row.query, attrs: { dir: "auto" } }),
			);
		case "note":
			return noteLine(row.note, context);
		case "related":
			return relatedCard(row, context);
		case "passage":
			return passageLine(row.result);
		case "result":
			return resultCard(row, context);
	}
}

/** Equal for rows that are drawn alike, in whatever order and with whatever score they come. */
export function looksOf(row: Row, { now, colours, showProfile }: CardContext): string {
	if (row.kind === "section" || row.kind === "query") return JSON.stringify(row);
	const about = "note" in row ? row.note : row.result;
	const scoreless = "note" in row ? { note: { ...row.note, score: 0 } } : { result: { ...row.result, score: 0 } };
	return JSON.stringify([
		{ ...row, ...scoreless },
		when(about.modified, now),
		showProfile && colours.get(about.profile),
	]);
}

/** A rough height before the row was ever drawn, in pixels. */
export function estimatedHeight(row: Row): number {
	const heights: Record<Row["kind"], number> = {
		section: 34,
		query: 34,
		note: 48,
		related: 84,
		passage: 62,
		result: 88,
	};
	return heights[row.kind];
}

function resultCard(row: ResultRow, context: CardContext): HTMLElement {
	const { result } = row;
	const spot = placeWords(result.kind, result.place);
	return h(
		"div",
		{ class: `sj-row sj-result${row.unfolded ? " is-unfolded" : ""}` },
		h(
			"div",
			{ class: "sj-head" },
			!isNote(result.kind) && icon(iconOf(result.kind), "sj-icon sj-kind"),
			h(
				"span",
				{ class: "sj-title", attrs: { dir: "auto" } },
				result.title,
				spot !== "" && h("span", { text: ` · ${spot}` }),
			),
			rowButtons(row, context.actions),
			result.found_by !== "filters" && tierMark(result.relevance),
			timeOf(result.modified, context.now),
		),
		where(row, context),
		h("div", { class: "sj-snippet", attrs: { dir: "auto" } }, ...highlighted(result.snippet, result.highlights)),
		row.explained && explanation(result, row.explained),
	);
}

function rowButtons(row: Row, { unfold, explain, dismiss, hide }: CardActions): HTMLElement {
	return h(
		"span",
		{ class: "sj-row-buttons" },
		rowButton("layers", say("result.passages"), () => unfold(row)),
		rowButton("why", say("result.why"), () => explain(row)),
		dismiss && rowButton("close", say("result.dismiss"), () => dismiss(row)),
		hide && rowButton("hide", say("result.hide"), () => hide(row)),
	);
}

/** One line: where the passage stands, and what else is to be known of the note. */
function where({ result, isNamed }: ResultRow, { colours, showProfile, actions }: CardContext): HTMLElement {
	const folder = folderOf(result.path);
	const headings = result.headings.filter((heading) => heading !== result.title);
	const trail: (readonly Child[])[] = [
		...(folder === "" ? [] : [pathWords(folder)]),
		...headings.map((text) => [text]),
	];
	const crumbs = trail.flatMap((words, index): Child[] => [
		index > 0 && h("span", { class: "sj-crumb-sep", text: "›" }),
		h("bdi", {}, ...words),
	]);
	return h(
		"div",
		{ class: "sj-where", title: `${result.vault}/${result.path}:${result.line}` },
		showProfile && profileBadge(result.profile, colours.get(result.profile)),
		h("span", { class: "sj-crumbs" }, ...crumbs),
		badges(result, isNamed, actions.apart),
	);
}

/** What matters most first: where the line is short, the last are left out. */
function badges(result: SearchResult, isNamed: boolean, apart?: () => void): HTMLElement | null {
	const shown = result.tags
		.slice(0, MOST_TAGS)
		.map((tag) => h("span", { class: "sj-tag", text: `#${tag.replace(/^#/, "")}` }));
	const hidden = result.tags.length - shown.length;
	const elsewhere = result.also_in.map((place) => place.profile);
	const lacking = result.words?.lacks ?? [];
	const parts: Child[] = [
		isNamed &&
			h("span", { class: "sj-badge", title: say("result.named.detail") }, icon("pin"), say("result.named")),
		result.redactions > 0 &&
			h(
				"span",
				{ class: "sj-badge sj-redacted", title: say("result.redacted.detail") },
				icon("shield"),
				say("result.redacted", { count: result.redactions }),
			),
		...lacking.map((word) => h("s", { class: "sj-lacking", text: word, title: say("result.lacks") })),
		elsewhere.length > 0 &&
			h(
				"span",
				{
					class: "sj-badge",
					title: result.also_in.map(({ profile, path }) => `${profile}: ${path}`).join("\n"),
				},
				icon("layers"),
				say("result.alsoIn", { profiles: listed([...new Set(elsewhere)]) }),
			),
		result.nearly_same.length > 0 && nearlySame(result, apart),
		...shown,
		hidden > 0 &&
			h("span", { class: "sj-badge", text: `+${hidden}`, title: result.tags.slice(MOST_TAGS).join(", ") }),
	];
	return parts.some((part) => part !== false) ? h("span", { class: "sj-badges" }, ...parts) : null;
}

function nearlySame({ nearly_same: others }: SearchResult, apart?: () => void): HTMLElement {
	const named = others.map(({ path }) => path).join("\n");
	const title = apart ? `${named}\n${say("result.nearlySame.detail")}` : named;
	return h(
		"span",
		{ class: "sj-badge", title, ...(apart ? { on: { click: stopped(apart) } } : {}) },
		icon("layers"),
		say("result.nearlySame", { count: others.length }),
	);
}

function passageLine(result: SearchResult): HTMLElement {
	const heading = result.headings.at(-1);
	const spot = isNote(result.kind)
		? say("result.line", { line: String(result.line) })
		: placeWords(result.kind, result.place);
	return h(
		"div",
		{ class: "sj-row sj-passage" },
		h(
			"div",
			{ class: "sj-where" },
			h("bdi", { text: heading ?? say("result.beginning") }),
			h("span", { class: "sj-line-number", text: spot }),
		),
		h("div", { class: "sj-snippet", attrs: { dir: "auto" } }, ...highlighted(result.snippet, result.highlights)),
	);
}

function noteLine(note: OfferedNote, { now, colours, showProfile }: CardContext): HTMLElement {
	const reasons = note.reasons ? listed(note.reasons.map(reasonWords)) : "";
	const detail = [folderOf(note.path), reasons].filter((part) => part !== "").join(" · ");
	return h(
		"div",
		{ class: "sj-row sj-line", title: detail },
		icon(iconOf(note.kind)),
		h(
			"span",
			{ class: "sj-line-body" },
			h("span", { class: "sj-line-title", text: note.title, attrs: { dir: "auto" } }),
			h("span", { class: "sj-line-detail" }, ...folderAnd(note.path, reasons)),
		),
		note.unlinked &&
			h(
				"span",
				{ class: "sj-badge", title: say("result.notLinked.detail") },
				icon("link"),
				say("result.notLinked"),
			),
		showProfile && profileBadge(note.profile, colours.get(note.profile)),
		timeOf(note.modified, now),
	);
}
