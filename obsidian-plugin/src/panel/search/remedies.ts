import type { SearchAsk, SearchResponse } from "../../api/wire";
import { say } from "../../words/say";
import { isFilter, partsOf, withoutPart } from "./box/queryParts";
import type { Scope } from "./scopeBar";

/** Another search that may find what was meant. */
export interface Remedy {
	/** What is different: "without xylophone". */
	label: string;
	query: string;
	scope: Scope;
}

/** A remedy that was tried and helps, and the words for how much. */
export interface Offer extends Remedy {
	notes: string;
}

export interface Weak {
	query: string;
	scope: Scope;
	response: SearchResponse;
	/** Names of all profiles. */
	profiles: readonly string[];
}

const MOST_TRIED = 8;
const MOST_OFFERED = 4;
const TIERS: Record<SearchResponse["relevance"], number> = { low: 0, medium: 1, high: 2 };

/** What could help a search that found nothing likely: the likeliest first, none twice. */
export function remediesFor({ query, scope, response, profiles }: Weak): Remedy[] {
	const absent = response.notices.flatMap(({ code, words }) =>
		code === "absent-words" || code === "absent-password" ? words : [],
	);
	const parts = partsOf(query);
	const words = parts.filter((part) => !isFilter(part) && !/^[-"(]/.test(part) && !absent.includes(part));
	const without = (left: readonly string[]): Remedy => ({
		label: say("offer.without", { words: left.join(", ") }),
		query: left.reduce(withoutPart, query),
		scope,
	});
	const changed = (label: string, change: Partial<Scope>): Remedy => ({
		label,
		query,
		scope: { ...scope, ...change },
	});
	const phrases = parts.filter((part) => /^".+"$/.test(part));
	const chosen = scope.profiles;
	const all: Remedy[] = [
		...(absent.length > 0 ? [without(absent)] : []),
		...(phrases.length > 0 ? [{ label: say("offer.noQuotes"), query: query.replaceAll('"', ""), scope }] : []),
		...parts.filter(isFilter).map((part) => without([part])),
		...(chosen
			? profiles
					.filter((name) => !chosen.includes(name))
					.map((name) => changed(say("offer.in", { profile: name }), { profiles: [name] }))
			: []),
		...(scope.mode === "hybrid" ? [] : [changed(say("offer.hybrid"), { mode: "hybrid" })]),
		...(words.length > 1 || absent.length > 0 ? words.map((word) => without([word])) : []),
	];
	const isNew = ({ query: other, scope: there }: Remedy, at: number): boolean =>
		all.findIndex((before) => before.query === other && before.scope === there) === at || there !== scope;
	return all.filter((remedy, at) => remedy.query.trim() !== "" && isNew(remedy, at)).slice(0, MOST_TRIED);
}

/** Try what could help, and keep what finds something likelier, best first. Rejects where the daemon does not answer. */
export async function offersFor(weak: Weak, search: (request: SearchAsk) => Promise<SearchResponse>): Promise<Offer[]> {
	const tried = await Promise.all(
		remediesFor(weak).map(async (remedy) => {
			const { profiles, mode } = remedy.scope;
			const reply = await search({
				query: remedy.query,
				...(profiles ? { profiles: [...profiles] } : {}),
				mode,
				limit: 1,
				remember: false,
			});
			return { remedy, reply };
		}),
	);
	const found = weak.response.results.length;
	const isBetter = (reply: SearchResponse): boolean =>
		found === 0 ? reply.results.length > 0 : TIERS[reply.relevance] > TIERS[weak.response.relevance];
	return tried
		.filter(({ reply }) => isBetter(reply))
		.sort((a, b) => TIERS[b.reply.relevance] - TIERS[a.reply.relevance])
		.slice(0, MOST_OFFERED)
		.map(({ remedy, reply }) => ({
			...remedy,
			notes: reply.total_notes ? say("count.notes", { count: reply.total_notes }) : say("offer.byMeaning"),
		}));
}
