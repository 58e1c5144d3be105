import { OPERATORS } from "../../../api/wire";

/** A query as the parts that its user wrote: words, phrases and filters, each to be added or taken out by itself. */

/** Quotation marks, brackets and parentheses keep what is in them together; one that is never closed goes on to the end. */
const PART = /(?:"[^"]*"?|\[[^\]]*\]?|\([^()]*\)?|[^\s"[(])+/g;
const FILTER = /^-?(?:([a-z-]+):|#\S|\[)/i;

/** The parts in their order, as written. */
export function partsOf(query: string): string[] {
	return query.match(PART) ?? [];
}

/** Is it the name of an operator, in whatever case? */
export function isOperator(name: string): boolean {
	return OPERATORS.some((operator) => operator === name.toLowerCase());
}

/** Does the part narrow a search down, rather than say what to look for? */
export function isFilter(part: string): boolean {
	const [found, name] = FILTER.exec(part) ?? [];
	return found !== undefined && (name === undefined || isOperator(name));
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
