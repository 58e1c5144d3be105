import type { ScorePart, SearchResult } from "../../api/wire";
import { isKey, say, writtenNumber } from "../../words/say";
import { h } from "../shared/dom";
import type { Reasons } from "./rows";
import { whyWords } from "./whyWords";

/** What is known of one signal besides its points. */
export function detailOf({ signal, rank, raw }: ScorePart): string {
	if ((signal === "lexical" || signal === "semantic") && rank === null) return say("signal.absent");
	const parts = [rank === null ? "" : say("signal.rank", { rank })];
	if (raw !== null)
		parts.push(
			signal === "semantic"
				? say("signal.distance", { distance: writtenNumber(raw.toFixed(3)) })
				: signal === "lexical"
					? `BM25 ${writtenNumber(Math.abs(raw).toFixed(1))}`
					: "",
		);
	return parts.filter((part) => part !== "").join(" · ");
}

/** Why a result stands where it stands: in words, and on demand each signal's share of its score. */
export function explanation(result: SearchResult, reasons: Reasons): HTMLElement {
	const parts = result.explain;
	if (!parts) return h("div", { class: "sj-explain", text: say("why.asking") });
	const words = whyWords(result);
	const said = words === "" && parts.length === 0 ? say("why.none") : words;
	return h(
		"div",
		{ class: "sj-explain" },
		said !== "" && h("p", { text: said }),
		(reasons === "numbers" || words === "") && parts.length > 0 && numbers(parts),
	);
}

function numbers(parts: readonly ScorePart[]): HTMLElement {
	const most = Math.max(...parts.map(({ points }) => Math.abs(points)), Number.EPSILON);
	const lines = parts.map((part) => {
		const signal = `signal.${part.signal}` as const;
		const meter = h("span", { class: part.points < 0 ? "sj-explain-bar is-less" : "sj-explain-bar" });
		meter.style.setProperty("--sj-share", `${(100 * Math.abs(part.points)) / most}%`);
		return h(
			"div",
			{ class: "sj-explain-line" },
			h("dt", { text: isKey(signal) ? say(signal) : part.signal }),
			h(
				"dd",
				{},
				meter,
				h("span", { text: writtenNumber(part.points.toFixed(3)).replace("-", "−") }),
				h("span", { class: "sj-explain-detail", text: detailOf(part) }),
			),
		);
	});
	return h("dl", { class: "sj-explain-numbers" }, ...lines);
}
