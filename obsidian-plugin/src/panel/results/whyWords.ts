import type { ScorePart, SearchResult } from "../../api/wire";
import { say } from "../../words/say";
import { listed } from "../shared/format";

/** Places among the notes nearest in meaning that are worth a word. */
const NEAR = 20;

/** Why a result is there, in a sentence: "This result has sync and two, and lacks notes, and is near in meaning." "" where nothing is known. */
export function whyWords({
	words,
	explain,
	found_by: foundBy,
}: Pick<SearchResult, "words" | "explain" | "found_by">): string {
	const near = rankOf(explain, "semantic");
	const said = [
		words && words.has.length > 0 ? say("why.has", { words: listed(words.has) }) : "",
		...(words ? words.forms.map(({ typed, said: form }) => say("why.form", { typed, form })) : []),
		words && words.lacks.length > 0 ? say("why.lacks", { words: listed(words.lacks) }) : "",
		foundBy === "links" ? say("why.calledSo") : "",
		near === 1
			? say("why.nearest")
			: foundBy === "meaning" || (near !== null && near <= NEAR)
				? say("why.near")
				: "",
		helps(explain, "neighbours") ? say("why.around") : "",
		helps(explain, "recency") ? say("why.recency") : "",
		helps(explain, "importance") ? say("why.importance") : "",
		helps(explain, "opened") ? say("why.opened") : "",
	];
	const given = said.filter((part) => part !== "");
	return given.length === 0
		? ""
		: say("why.sentence", { reasons: given.reduce((first, rest) => say("why.joined", { first, rest })) });
}

function rankOf(parts: readonly ScorePart[] | null, signal: ScorePart["signal"]): number | null {
	return parts?.find((part) => part.signal === signal)?.rank ?? null;
}

function helps(parts: readonly ScorePart[] | null, signal: ScorePart["signal"]): boolean {
	return (parts?.find((part) => part.signal === signal)?.points ?? 0) > 0;
}
