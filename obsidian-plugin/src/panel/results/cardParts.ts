import type { SearchResult } from "../../api/wire";
import type { Tier } from "../../api/words";
import { say } from "../../words/say";
import { h, setColour, type Child } from "../shared/dom";
import { segments } from "../shared/highlight";
import { icon, type IconName } from "../shared/icons";
import type { RelatedRow, Row } from "./rows";

/** What the rows of a list are drawn with, and the parts that they have in common. */

/** What a related note's buttons do; the keyboard has a key for each. */
export interface RelatedActions {
	link: (row: RelatedRow) => void;
	pin: (row: RelatedRow) => void;
	hide: (row: RelatedRow) => void;
	hideEverywhere: (row: RelatedRow) => void;
}

/** What a drawn row may do when it is clicked besides being opened. The keyboard has a key for each. */
export interface CardActions {
	unfold: (row: Row) => void;
	explain: (row: Row) => void;
	/** Where notes can be taken out of what is searched for, or of every search. */
	dismiss?: (row: Row) => void;
	hide?: (row: Row) => void;
	/** Show notes that say nearly the same each by itself; without it they are named alone. */
	apart?: () => void;
	/** Where related notes are shown. */
	related?: RelatedActions;
}

export interface CardContext {
	now: Date;
	/** Colour of a profile by its name. */
	colours: ReadonlyMap<string, string | null>;
	/** With a single profile in sight, its badge says nothing. */
	showProfile: boolean;
	actions: CardActions;
}

/** A text with what was found in it marked. */
export function highlighted(text: string, highlights: SearchResult["highlights"]): Child[] {
	return segments(text, highlights).map((part) =>
		part.hit ? h("mark", { class: "sj-mark", text: part.text }) : part.text,
	);
}

/** A profile's name with its colour. */
export function profileBadge(name: string, colour: string | null | undefined): HTMLElement {
	const badge = h("span", { class: "sj-profile" }, h("span", { class: "sj-dot" }), name);
	setColour(badge, colour);
	return badge;
}

/** Three bars that say how well a result fits. */
export function tierMark(tier: Tier): HTMLElement {
	const bars = [1, 2, 3].map(() => h("span"));
	const words = say(`result.tier.${tier}`);
	return h("span", { class: `sj-tier sj-tier-${tier}`, title: words, attrs: { role: "img" } }, ...bars);
}

/** A button of a row, for the mouse alone: the keyboard has a key for what it does. */
export function rowButton(name: IconName, title: string, act: () => void): HTMLElement {
	return h(
		"span",
		{ class: "sj-row-button", title, attrs: { "aria-hidden": "true" }, on: { click: stopped(act) } },
		icon(name),
	);
}

/** A listener that keeps the click from opening the row. */
export function stopped(act: () => void): (event: MouseEvent) => void {
	return (event) => {
		event.stopPropagation();
		act();
	};
}
