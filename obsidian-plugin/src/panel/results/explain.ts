import type { ScorePart, SearchResult } from "../../api/wire";
import { h } from "../shared/dom";
import type { Reasons } from "./rows";
import { whyWords } from "./whyWords";

const SIGNAL_WORDS: Record<ScorePart["signal"], string> = {
	lexical: "Words",
	semantic: "Meaning",
	neighbours: "Passages around",
	completeness: "Whole query",
	links: "Links from the best",
	graph: "Linked by many",
	recency: "Age",
	ladder: "Newer ones of its kind",
	importance: "Importance",
};

/** "1st", "2nd", "3rd", "11th". */
export function ordinal(number: number): string {
	const lastTwo = number % 100;
	const suffix = lastTwo >= 11 && lastTwo <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
	return `${number}${suffix}`;
}

/** What is known of one signal besides its points. */
export function detailOf({ signal, rank, raw }: ScorePart): string {
	if ((signal === "lexical" || signal === "semantic") && rank === null) return "not found by these";
	const parts = [rank === null ? "" : ordinal(rank)];
	if (raw !== null) parts.push(signal === "semantic" ? `distance ${raw.toFixed(3)}` : signal === "lexical" ? `BM25 ${Math.abs(raw).toFixed(1)}` : "");
	return parts.filter((part) => part !== "").join(" · ");
}

/** Why a result stands where it stands: in words, and on demand each signal's share of its score. */
export function explanation(result: SearchResult, reasons: Reasons): HTMLElement {
	const parts = result.explain;
	if (!parts) return h("div", { class: "sj-explain", text: "Asking…" });
	const words = whyWords(result);
	const said = words === "" && parts.length === 0 ? "The daemon gave no reasons." : words;
	return h("div", { class: "sj-explain" }, said !== "" && h("p", { text: said }), (reasons === "numbers" || words === "") && parts.length > 0 && numbers(parts));
}

function numbers(parts: readonly ScorePart[]): HTMLElement {
	const most = Math.max(...parts.map(({ points }) => Math.abs(points)), Number.EPSILON);
	const lines = parts.map((part) => {
		const meter = h("span", { class: part.points < 0 ? "sj-explain-bar is-less" : "sj-explain-bar" });
		meter.style.setProperty("--sj-share", `${(100 * Math.abs(part.points)) / most}%`);
		return h(
			"div",
			{ class: "sj-explain-line" },
			h("dt", { text: SIGNAL_WORDS[part.signal] ?? part.signal }),
			h("dd", {}, meter, h("span", { text: part.points.toFixed(3).replace("-", "−") }), h("span", { class: "sj-explain-detail", text: detailOf(part) })),
		);
	});
	return h("dl", { class: "sj-explain-numbers" }, ...lines);
}
