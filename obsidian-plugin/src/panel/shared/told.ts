import type { Failure, Notice, QueryWarning, SearchResponse } from "../../api/wire";
import { isKey, language, say } from "../../words/say";
import { listed } from "./format";

type Values = Readonly<Record<string, string | number>>;

/**
 * What the daemon tells, in the reader's language: by its code where there are words for it. Who reads English reads the
 * daemon's own sentence, which says more; so does everybody where a newer daemon has a code that is not known here.
 */
export function told(key: string, message: string, values: Values = {}): string {
	if (message !== "" && (language() === "en" || !isKey(key))) return message;
	return isKey(key) ? (say as (key: string, values: Values) => string)(key, values) : "";
}

export function failureWords({ code, reason }: Failure): string {
	return told(`failure.${code}`, reason);
}

/** Why a note is related to another. */
export function reasonWords(reason: string): string {
	return told(`reason.${reason}`, reason);
}

export function unansweredWords({ code, reason }: SearchResponse["unanswered"][number]): string {
	return told(`unanswered.${code}`, reason);
}

/** What stands before results. */
export function noticeWords({ code, text, words, query }: Notice): string {
	const quoted = words.map((word) => say("found.quoted", { word }));
	const named = quoted.length === 0 ? "" : quoted.reduce((first, rest) => say("found.or", { first, rest }));
	return told(`found.${code}`, text, {
		words: query === "" ? named : query,
		typed: listed(quoted),
		count: Number(words[0]),
		...(code === "other-language" ? { languages: languageNames(words) } : {}),
	});
}

/** What languages are called, by their codes. */
export function languageNames(codes: readonly string[]): string {
	const names = new Intl.DisplayNames([language()], { type: "language" });
	return listed(codes.map((code) => names.of(code) ?? code));
}

/** query: what was searched, in which the warning's place counts code points. */
export function warningWords({ code, message, start, end }: QueryWarning, query: string): string {
	return told(`warning.${code}`, message, { part: Array.from(query).slice(start, end).join("") });
}
