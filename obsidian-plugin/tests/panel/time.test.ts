import { afterEach, describe, expect, it, vi } from "vitest";
import { exactly, timeOf, when } from "../../src/panel/shared/time";
import type { Language } from "../../src/words/languages";
import { speak } from "../../src/words/say";
import { EN, TABLES } from "../helpers/tables";

afterEach(() => speak("en", EN));

describe("a time", () => {
	const now = new Date(2026, 2, 12, 12, 30); // a Thursday, where the reader is
	const at = (...local: [number, number, number, number, number]): string => new Date(...local).toISOString();
	const TIMES: [string, Record<Language, string>][] = [
		[
			at(2026, 2, 12, 12, 30),
			{ en: "just now", de: "gerade eben", fr: "à l’instant", es: "ahora mismo", zh: "刚刚", ja: "たった今" },
		],
		[
			at(2026, 2, 12, 11, 48),
			{
				en: "42 minutes ago",
				de: "vor 42 Minuten",
				fr: "il y a 42 minutes",
				es: "hace 42 minutos",
				zh: "42分钟前",
				ja: "42 分前",
			},
		],
		[
			at(2026, 2, 12, 9, 0),
			{
				en: "3 hours ago",
				de: "vor 3 Stunden",
				fr: "il y a 3 heures",
				es: "hace 3 horas",
				zh: "3小时前",
				ja: "3 時間前",
			},
		],
		[at(2026, 2, 12, 18, 0), { en: "today", de: "heute", fr: "aujourd’hui", es: "hoy", zh: "今天", ja: "今日" }],
		[at(2026, 2, 11, 23, 59), { en: "yesterday", de: "gestern", fr: "hier", es: "ayer", zh: "昨天", ja: "昨日" }],
		[
			at(2026, 2, 10, 0, 1),
			{
				en: "last Tuesday",
				de: "letzten Dienstag",
				fr: "mardi dernier",
				es: "el martes pasado",
				zh: "星期二",
				ja: "火曜日",
			},
		],
		[
			at(2026, 2, 6, 12, 0),
			{
				en: "last Friday",
				de: "letzten Freitag",
				fr: "vendredi dernier",
				es: "el viernes pasado",
				zh: "星期五",
				ja: "金曜日",
			},
		],
		[
			at(2026, 2, 3, 12, 0),
			{ en: "3 March", de: "3. März", fr: "3 mars", es: "3 de marzo", zh: "3月3日", ja: "3月3日" },
		],
		[
			at(2026, 2, 14, 12, 0),
			{ en: "14 March", de: "14. März", fr: "14 mars", es: "14 de marzo", zh: "3月14日", ja: "3月14日" },
		],
		[
			at(2025, 11, 31, 12, 0),
			{
				en: "31 December 2025",
				de: "31. Dezember 2025",
				fr: "31 décembre 2025",
				es: "31 de diciembre de 2025",
				zh: "2025年12月31日",
				ja: "2025年12月31日",
			},
		],
	];

	it.each(TIMES)("%s is said as people say it, in each language", (iso, want) => {
		vi.spyOn(window.navigator, "languages", "get").mockReturnValue(["en-GB"]);
		for (const [language, words] of Object.entries(want) as [Language, string][]) {
			speak(language, TABLES[language]);
			expect(when(iso, now)).toBe(words);
		}
	});

	it("shortly after midnight is minutes ago, not yesterday", () => {
		expect(when(at(2026, 2, 11, 23, 50), new Date(2026, 2, 12, 0, 10))).toBe("20 minutes ago");
	});

	it.each(["no date", "", null, undefined])("that is %s is not said", (iso) => {
		expect([when(iso, now), exactly(iso)]).toEqual(["", ""]);
	});

	it("has its day and minute under the pointer", () => {
		vi.spyOn(window.navigator, "languages", "get").mockReturnValue(["en-GB"]);
		const time = timeOf(at(2026, 2, 3, 14, 5), now);
		expect(time.title).toMatch(/Tuesday, 3 March 2026 at 14:05/);
		expect(time.getAttribute("datetime")).toBe(at(2026, 2, 3, 14, 5));
	});
});
