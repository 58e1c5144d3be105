/** A query as the parts that its user wrote: words, phrases and filters, each to be added or taken out by itself. */

/** Quotation marks, brackets and parentheses keep what is in them together; one that is never closed goes on to the end. */
const PART = /(?:"[^"]*"?|\[[^\]]*\]?|\([^()]*\)?|[^\s"[(])+/g;
const FILTER = /^-?(?:(?:tag|path|file|ext|kind|modified|created|vault|profile|lang|sort):|#\S|\[)/i;

/** The parts in their order, as written. */
export function partsOf(query: string): string[] {
	return query.match(PART) ?? [];
}

/** Does the part narrow a search down, rather than say what to look for? */
export function isFilter(part: string): boolean {
	return FILTER.test(part);
}

/** Is there nothing to search for besides filters? */
export function isOnlyFilters(query: string): boolean {
	const parts = partsOf(query);
	return parts.length > 0 && parts.every(isFilter);
}

export function withPart(query: string, part: string): string {
	const parts = partsOf(query);
	return hasPart(query, part) ? query : [...parts, part].join(" ");
}

/** The query without a part, wherever it stands in it. Case does not matter. */
export function withoutPart(query: string, part: string): string {
	return partsOf(query)
		.filter((other) => other.toLowerCase() !== part.toLowerCase())
		.join(" ");
}

export function hasPart(query: string, part: string): boolean {
	return partsOf(query).some((other) => other.toLowerCase() === part.toLowerCase());
}

/** A filter and its value, in quotation marks where the value needs them. */
export function filterOf(name: string, value: string): string {
	return `${name}:${/[\s"()[\]]/.test(value) ? `"${value.replaceAll('"', "")}"` : value}`;
}
