import type { Page } from "playwright-core";
import type { Language } from "../../src/words/languages";
import type { Counted } from "../../src/words/say";
import { EN, TABLES } from "../../tests/helpers/tables";

/** What is the user's own, or a command: not in the panel's language. */
const NOT_SAID =
	"code, kbd, pre, blockquote, .sj-diff, .sj-title, .sj-snippet, .sj-crumbs, .sj-line-title, .sj-line-detail, .sj-reader-passage, .sj-path, .sj-facet-name, .sj-folder-name, .page-name";

/** Where letters tell the language: three Latin words are none of Chinese or Japanese, whoever wrote them, the daemon say. */
const IN_LATIN: readonly Language[] = ["en", "de", "fr", "es"];
const LATIN_SENTENCE = /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/;

/** All that is read on the page as it stands, the names and titles of its elements too. */
export function readTexts(page: Page): Promise<string[]> {
	return page.evaluate((notSaid) => {
		const isShown = (element: Element): boolean => element.closest(notSaid) === null && element.checkVisibility();
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const texts: string[] = [];
		for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
			if (node.parentElement && isShown(node.parentElement)) texts.push(node.textContent ?? "");
		for (const element of document.querySelectorAll("[aria-label], [title]:not(.sj-where), [placeholder]")) {
			if (isShown(element))
				for (const name of ["aria-label", "title", "placeholder"]) texts.push(element.getAttribute(name) ?? "");
		}
		return [...new Set(texts.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text)))];
	}, NOT_SAID);
}

/** Those of the texts that are English, and that the language itself does not say. */
export function leftInEnglish(texts: readonly string[], language: Language): string[] {
	const english = patterns(EN);
	const own = patterns(TABLES[language]);
	const isEnglish = (text: string): boolean =>
		english.some((pattern) => pattern.test(text)) ||
		(!IN_LATIN.includes(language) && LATIN_SENTENCE.test(text.replace(/`[^`]*`/g, "")));
	return texts.filter((text) => isEnglish(text) && !own.some((pattern) => pattern.test(text)));
}

/** How many of the texts the table of the language says. */
export function saidIn(texts: readonly string[], language: Language): number {
	const own = patterns(TABLES[language]);
	return texts.filter((text) => own.some((pattern) => pattern.test(text))).length;
}

/** What holds nothing but places would match everything. */
function patterns(table: Readonly<Record<string, string | Counted>>): RegExp[] {
	const texts = Object.values(table).flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)));
	return texts
		.filter((text) => /\p{L}{2}/u.test(text.replace(/\{\w+\}/g, "")))
		.map((text) => {
			const escaped = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
			return new RegExp(`^${escaped.join(".+")}$`, "su");
		});
}
