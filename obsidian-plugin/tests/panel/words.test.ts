import { afterEach, describe, expect, it } from "vitest";
import { ApiError } from "../../src/api/errors";
import { grouped, listed } from "../../src/panel/shared/format";
import { h } from "../../src/panel/shared/dom";
import { noticeWords } from "../../src/panel/shared/told";
import { trouble } from "../../src/panel/shared/trouble";
import { LANGUAGES } from "../../src/words/keys";
import { languageFor, pluralOf, type Language } from "../../src/words/languages";
import { say, sayAround, speak, type Counted, type WordKey } from "../../src/words/say";
import { EN, TABLES } from "../helpers/tables";

/** English as the panel writes it: "a, b and c". */
const localeOf = (language: Language): string => (language === "en" ? "en-GB" : language);
const KEYS = Object.keys(EN) as WordKey[];
const formsOf = (entry: string | Counted): [form: string, text: string][] =>
	typeof entry === "string" ? [["", entry]] : Object.entries(entry);
const placesIn = (text: string): string[] =>
	[...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))].sort();

afterEach(() => speak("en", EN));

describe.each(LANGUAGES)("the table of %s", (language) => {
	const table = TABLES[language];

	it("has every sentence, and no other", () => {
		expect(Object.keys(table).sort()).toEqual([...KEYS].sort());
	});

	it("leaves no value out, and names none that is not given", () => {
		const wrong = KEYS.filter((key) => {
			const english: string | Counted = EN[key];
			const wanted = placesIn(typeof english === "string" ? english : english.other);
			// "one note" need not say the number.
			return formsOf(table[key]).some(
				([form, text]) =>
					placesIn(text).join() !==
					wanted.filter((name) => form !== "one" || name !== "count" || placesIn(text).includes(name)).join(),
			);
		});
		expect(wrong).toEqual([]);
	});

	it.skipIf(language === "en")("has no sentence that was left in English", () => {
		const isSentence = (entry: string | Counted): boolean =>
			/\p{L}\p{Ll}+ \p{Ll}{2,}/u.test(
				typeof entry === "string" ? entry.replace(/\{\w+\}|`[^`]*`/g, "") : entry.other,
			);
		expect(
			KEYS.filter((key) => JSON.stringify(table[key]) === JSON.stringify(EN[key]) && isSentence(EN[key])),
		).toEqual([]);
	});

	it("has the plural forms of its grammar", () => {
		const forms = new Intl.PluralRules(localeOf(language))
			.resolvedOptions()
			.pluralCategories.filter((form) => form !== "many")
			.sort();
		const wrong = KEYS.filter(
			(key) => typeof table[key] !== "string" && Object.keys(table[key]).sort().join() !== forms.join(),
		);
		expect(wrong).toEqual([]);
	});

	it("counts, writes numbers and lists as the browser's own data of the language has it", () => {
		speak(language, table);
		const rules = new Intl.PluralRules(localeOf(language));
		for (const count of [...Array(130).keys(), 1_000, 10_001, 1_000_000, 1_000_001, 3_000_000])
			expect(`${count} ${pluralOf(say("number.ones"), count)}`).toBe(
				`${count} ${rules.select(count).replace("many", "other")}`,
			);
		for (const number of [0, 7, 999, 1_000, 9_999, 10_000, 1_234_567, -4_321])
			expect(grouped(number)).toBe(new Intl.NumberFormat(localeOf(language)).format(number));
		expect(say("number.percent", { number: 40 })).toBe(
			new Intl.NumberFormat(localeOf(language), { style: "percent" }).format(0.4),
		);
		for (const words of [["a"], ["a", "b"], ["a", "b", "c", "d"]])
			expect(listed(words)).toBe(new Intl.ListFormat(localeOf(language)).format(words));
	});
});

describe("the language that is spoken", () => {
	it.each<[wanted: string[], language: Language]>([
		[["de-AT", "en"], "de"],
		[["pt-BR", "fr-CA", "en"], "fr"],
		[["zh"], "zh"],
		[["zh-CN"], "zh"],
		[["zh-Hans-SG"], "zh"],
		[["zh-TW", "ja"], "ja"],
		[["zh-Hant-HK"], "en"],
		[["es_MX"], "es"],
		[["DE"], "de"],
		[["den"], "en"],
		[[""], "en"],
		[[], "en"],
	])("of readers of %j is %s", (wanted, language) => {
		expect(languageFor(wanted)).toBe(language);
	});
});

describe("a sentence", () => {
	it("takes elements where its language wants them", () => {
		const code = h("code");
		expect(sayAround("offline.detail", { command: code })).toEqual([
			"Start it with ",
			code,
			" in a terminal, or by opening Scrubjay. The connection comes back by itself.",
		]);
	});

	it("keeps a value that looks like a place in it", () => {
		expect(say("offer.in", { profile: "{words}" })).toBe("in {words}");
	});

	it("chooses the form by the number, and writes the number", () => {
		expect([0, 1, 2_000].map((count) => say("count.notes", { count }))).toEqual([
			"0 notes",
			"1 note",
			"2,000 notes",
		]);
	});

	it.each([
		["by its code", ApiError.unreachable(), "Scrubjay does not answer."],
		[
			"as the daemon tells it",
			new ApiError("invalid-profile", 400, "There is no folder here."),
			"There is no folder here.",
		],
		[
			"by its status, where nothing else is known",
			new ApiError("http-500", 500, ""),
			"Scrubjay answered with status 500.",
		],
		["that is no answer at all", new Error("socket closed"), "socket closed"],
	])("tells trouble %s", (_, error, want) => {
		expect(trouble(error)).toBe(want);
	});
});

describe("a question across languages", () => {
	it("is told with the names that languages have in the reader's own", () => {
		const notice = { code: "other-language", text: "The model reads English.", words: ["en"], query: "" } as const;
		speak("de", TABLES.de);
		expect(noticeWords({ ...notice, words: [...notice.words] })).toContain("Das Modell liest Englisch");
		speak("ja", TABLES.ja);
		expect(noticeWords({ ...notice, words: [...notice.words] })).toContain("英語");
	});
});
