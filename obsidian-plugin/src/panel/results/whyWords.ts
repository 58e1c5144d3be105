import type { ScorePart, SearchResult, WordsSaid } from "../../api/wire";
import { say } from "../../words/say";
import { listed } from "../shared/format";

/** Places among the notes nearest in meaning that are worth a word. */
const NEAR = 20;

/** In which a word is looked for, the one that tells most first. */
const PLACES = ["title", "heading", "tag", "path", "text"] as const;

/** Why a result is there, in a sentence: "This result has sync in its title, and lacks notes, and is near in meaning." "" where nothing is known. */
export function whyWords({
	words,
	explain,
	found_by: foundBy,
}: Pick<SearchResult, "words" | "explain" | "found_by">): string {
	const near = rankOf(explain, "semantic");
	const said = [
		foundBy === "filters" ? say("why.passes") : "",
		...(words ? PLACES.map((place) => saidIn(words, place)) : []),
		...(words ? words.forms.map(({ typed, said: form }) => say("why.form", { typed, form })) : []),
		words && words.lacks.length > 0 ? say("why.lacks", { words: listed(words.lacks) }) : "",
		foundBy === "links" ? say("why.calledSo") : "",
		near === 1
			? say("why.nearest")
			: foundBy === "meaning" || (near !== null && near <= NEAR)
				? say("why.near")
				: explain?.some(({ signal }) => signal === "semantic")
					? say("why.notNear")
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

/** Which of the words stand in this place, and in none before it. */
function saidIn({ has, places }: WordsSaid, place: WordsSaid["places"][number]): string {
	const there = has.filter((_, index) => places[index] === place);
	return there.length === 0 ? "" : say(`why.in.${place}`, { words: listed(there) });
}

function rankOf(parts: readonly ScorePart[] | null, signal: ScorePart["signal"]): number | null {
	return parts?.find((part) => part.signal === signal)?.rank ?? null;
}

function helps(parts: readonly ScorePart[] | null, signal: ScorePart["signal"]): boolean {
	return (parts?.find((part) => part.signal === signal)?.points ?? 0) > 0;
}
