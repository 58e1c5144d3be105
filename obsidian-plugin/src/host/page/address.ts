import { isMode, orderedQuery, type SearchAddress } from "../../panel/search/scopeBar";

/** What the page shows, as its address says it: a screen, and for the search what is searched for. */
export interface PageAddress {
	/** "" where the address names none. */
	screen: string;
	search: SearchAddress;
}

/** What an address such as `#/search?q=rust&profile=work` says; what it leaves out is as in a new search. */
export function readAddress(hash: string): PageAddress {
	const [screen = "", rest = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
	const given = new URLSearchParams(rest);
	const [profiles, mode] = [given.getAll("profile"), given.get("mode") ?? ""];
	return {
		screen,
		search: {
			...orderedQuery(given.get("q") ?? "", given.get("sort") ?? "", "relevance"),
			profiles: profiles.length > 0 ? profiles : undefined,
			mode: isMode(mode) ? mode : "hybrid",
		},
	};
}

/** The address of a screen; of the search with what it is about. */
export function addressOf(screen: string, search: SearchAddress): string {
	if (screen !== "search") return `#/${screen}`;
	const { query, profiles = [], mode, sort } = search;
	const said = new URLSearchParams();
	if (query !== "") said.set("q", query);
	for (const profile of profiles) said.append("profile", profile);
	if (mode !== "hybrid") said.set("mode", mode);
	if (sort !== "relevance") said.set("sort", sort);
	const words = said.toString();
	return words === "" ? `#/${screen}` : `#/${screen}?${words}`;
}
