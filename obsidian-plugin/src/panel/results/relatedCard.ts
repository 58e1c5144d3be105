import { say } from "../../words/say";
import { h } from "../shared/dom";
import { listed } from "../shared/format";
import { timeOf } from "../shared/time";
import { icon } from "../shared/icons";
import { folderAnd } from "../shared/paths";
import { reasonWords } from "../shared/told";
import { profileBadge, rowButton, stopped, type CardContext } from "./cardParts";
import type { RelatedRow } from "./rows";

/** A related note: its name, how its nearest passage begins, why it is here. */
export function relatedCard(
	row: RelatedRow,
	{ now, colours, showProfile, actions: { related } }: CardContext,
): HTMLElement {
	const { note, mark, mention } = row;
	const reasons = mark === "everywhere" ? say("related.everywhere") : listed((note.reasons ?? []).map(reasonWords));
	const facts = folderAnd(note.path, reasons);
	const isHidden = mark === "hidden" || mark === "everywhere";
	return h(
		"div",
		{ class: `sj-row sj-related-note${isHidden ? " is-hidden-note" : ""}` },
		h(
			"div",
			{ class: "sj-head" },
			mark === "pinned" && icon("pin"),
			h("span", { class: "sj-line-title", text: note.title, attrs: { dir: "auto" } }),
			h(
				"span",
				{ class: "sj-row-buttons" },
				!isHidden &&
					rowButton("pin", say(mark === "pinned" ? "related.unpin" : "related.pin"), () => related?.pin(row)),
				rowButton(isHidden ? "back" : "hide", say(isHidden ? "related.show" : "related.hide"), () =>
					related?.hide(row),
				),
				mark === "hidden" &&
					rowButton("close", say("related.hideEverywhere"), () => related?.hideEverywhere(row)),
			),
			showProfile && profileBadge(note.profile, colours.get(note.profile)),
			timeOf(note.modified, now),
		),
		facts.some((part) => part !== "" && part !== false) && h("div", { class: "sj-line-detail" }, ...facts),
		!isHidden &&
			note.excerpt !== undefined &&
			note.excerpt !== "" &&
			h("div", { class: "sj-snippet", text: note.excerpt, attrs: { dir: "auto" } }),
		mention &&
			h(
				"span",
				{
					class: "sj-mention",
					title: say("related.link.detail", { written: mention.written }),
					on: { click: stopped(() => related?.link(row)) },
				},
				icon("link"),
				say("related.link", { line: mention.line }),
			),
	);
}
