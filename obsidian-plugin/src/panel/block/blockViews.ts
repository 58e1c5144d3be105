import type { SearchResult } from "../../api/wire";
import { say } from "../../words/say";
import { placeOf, type Host } from "../host";
import { highlighted } from "../results/cardParts";
import { placeOfClick } from "../search/box/keys";
import { h } from "../shared/dom";
import { folderOf } from "../shared/format";
import { folderAnd, pathWords } from "../shared/paths";
import { timeOf } from "../shared/time";
import type { BlockView } from "./blockQuery";

/** Draw the notes that a block found. A count alone has none. */
export function drawNotes(
	view: BlockView,
	results: readonly SearchResult[],
	host: Host,
	now: Date,
): HTMLElement | null {
	if (results.length === 0 || view === "count") return null;
	if (view === "table") return table(results, host, now);
	const rows = results.map((result) => (view === "cards" ? card(result, host, now) : line(result, host)));
	return h("ul", { class: `sj-block-${view}` }, ...rows);
}

function line(result: SearchResult, host: Host): HTMLElement {
	return h("li", {}, link(result, host), " ", h("span", { class: "sj-muted" }, ...pathWords(folderOf(result.path))));
}

function card(result: SearchResult, host: Host, now: Date): HTMLElement {
	return h(
		"li",
		{ class: "sj-block-card" },
		link(result, host),
		h("span", { class: "sj-muted" }, ...folderAnd(result.path, timeOf(result.modified, now))),
		h("span", { attrs: { dir: "auto" } }, ...highlighted(result.snippet, result.highlights)),
	);
}

function table(results: readonly SearchResult[], host: Host, now: Date): HTMLElement {
	const head = [say("block.note"), say("block.folder"), say("block.changed")].map((text) =>
		h("th", { text, attrs: { scope: "col" } }),
	);
	const rows = results.map((result) =>
		h(
			"tr",
			{},
			h("td", {}, link(result, host)),
			h("td", {}, ...pathWords(folderOf(result.path))),
			h("td", {}, timeOf(result.modified, now)),
		),
	);
	return h("table", { class: "sj-block-table" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
}

/** Opens the note at the match; with the keys and buttons that open elsewhere, there. */
function link(result: SearchResult, host: Host): HTMLElement {
	const place = placeOf(result);
	const open = (event: MouseEvent): void => {
		event.preventDefault();
		event.stopPropagation();
		host.open(place, placeOfClick(event, host.isMac));
	};
	return h("button", {
		class: "sj-block-link",
		text: result.title,
		attrs: { dir: "auto", "data-focus": `${result.profile}/${result.vault}/${result.path}` },
		on: {
			click: open,
			auxclick: (event) => event.button === 1 && open(event),
			mouseover: (event) => host.hoverPreview?.(event, event.currentTarget as HTMLElement, place),
		},
	});
}
