/** Which language the panel speaks, and of its grammar what sentences with numbers need. */

import { LANGUAGES } from "./keys";

export type Language = (typeof LANGUAGES)[number];

/** Chinese that is not written in the simplified signs, which is the only Chinese there are sentences in. */
const TRADITIONAL = /^zh-(.*-)?(hant|tw|hk|mo)\b/i;

/** The first of these language tags ("de-AT", "zh-Hans", best first) that there are words for; English, if none is. */
export function languageFor(wanted: readonly string[]): Language {
	for (const tag of wanted) {
		const found = LANGUAGES.find((language) => language === tag.toLowerCase().split(/[-_]/)[0]);
		if (found !== undefined && !TRADITIONAL.test(tag)) return found;
	}
	return "en";
}

/**
 * The plural form of a whole number, as `Intl.PluralRules` has it (Unicode CLDR 46), but for the form that French and Spanish
 * have for whole millions, which is for numbers in words. By hand: the first use of the browser's own locale data takes
 * longer than drawing all results does.
 *
 * ones: the numbers that are one, with blanks between; "0 1" in French.
 */
export function pluralOf(ones: string, count: number): "one" | "other" {
	return ones.split(" ").includes(String(count)) ? "one" : "other";
}

export interface NumberStyle {
	/** Between groups of three digits. */
	group: string;
	/** The least number that is grouped. */
	groupFrom: number;
	decimal: string;
}

/** A decimal number such as "-1234.5" in the style of a language. */
export function digits(number: string, { group, groupFrom, decimal }: NumberStyle): string {
	const [whole = "", fraction] = number.split(".");
	const grouped = Math.abs(Number(whole)) < groupFrom ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
	return fraction === undefined ? grouped : grouped + decimal + fraction;
}
