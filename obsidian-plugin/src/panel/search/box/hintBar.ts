import { say } from "../../../words/say";
import { h } from "../../shared/dom";
import type { Hint } from "./keys";

/** Keys and what they do. Pointing devices have their own ways, so it only informs. */
export function hintLine(shown: readonly Omit<Hint, "action">[]): HTMLElement {
	const parts = shown.map(({ keys, label }) =>
		h("span", { class: "sj-hint" }, ...keys.map((key) => h("kbd", { text: key })), label),
	);
	return h("div", { class: "sj-hints", attrs: { role: "note", "aria-label": say("key.line") } }, ...parts);
}
