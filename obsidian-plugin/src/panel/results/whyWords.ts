import type { ScorePart, SearchResult } from "../../api/wire";
import { listed } from "../shared/format";

/** Places among the notes nearest in meaning that are worth a word. */
const NEAR = 20;

/** Why a result is there, in words: "has sync and two; lacks notes; near in meaning". "" where nothing is known. */
export function whyWords({ words, explain, found_by: foundBy }: Pick<SearchResult, "words" | "explain" | "found_by">): string {
	const near = rankOf(explain, "semantic");
	const said = [
		words && words.has.length > 0 ? `has ${listed(words.has)}` : "",
		words && words.lacks.length > 0 ? `lacks ${listed(words.lacks)}` : "",
		foundBy === "links" ? "other notes link here with these words" : "",
		near === 1 ? "nearest in meaning" : foundBy === "meaning" || (near !== null && near <= NEAR) ? "near in meaning" : "",
		helps(explain, "neighbours") ? "in a passage whose surroundings fit" : "",
		helps(explain, "links") ? "linked from the best results" : "",
		helps(explain, "graph") ? "many notes link here" : "",
		helps(explain, "recency") ? "new" : "",
		helps(explain, "ladder") ? "the newest of its kind" : "",
		helps(explain, "importance") ? "marked as important" : "",
	];
	return said.filter((part) => part !== "").join("; ");
}

function rankOf(parts: readonly ScorePart[] | null, signal: ScorePart["signal"]): number | null {
	return parts?.find((part) => part.signal === signal)?.rank ?? null;
}

function helps(parts: readonly ScorePart[] | null, signal: ScorePart["signal"]): boolean {
	return (parts?.find((part) => part.signal === signal)?.points ?? 0) > 0;
}
