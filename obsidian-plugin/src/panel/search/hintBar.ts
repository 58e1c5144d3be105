import { fill, h } from "../shared/dom";
import { hints, type Action } from "./keys";

/** The line of keys below the results. Pointing devices have their own ways, so it only informs. */
export function hintBar(isMac: boolean, can: (action: Action) => boolean): HTMLElement {
	const bar = h("div", { class: "sj-hints", attrs: { "aria-label": "Keyboard", role: "note" } });
	const parts = hints(isMac, can).map(({ keys, label }) => h("span", { class: "sj-hint" }, ...keys.map((key) => h("kbd", { text: key })), label));
	fill(bar, ...parts);
	return bar;
}
