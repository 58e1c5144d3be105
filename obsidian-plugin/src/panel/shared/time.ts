/** Times as people say them: "5 minutes ago", "yesterday", "last Tuesday", "3 March". Everything takes `now`, so that it can be tested. */
import { language, say } from "../../words/say";
import { h } from "./dom";

const DAY_MS = 86_400_000;
const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "long" };

/** Of this moment; "" for a time that is missing or cannot be read. */
export function when(iso: string | null | undefined, now: Date): string {
	const then = new Date(iso ?? "");
	if (Number.isNaN(then.getTime())) return "";
	const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
	const days = dayOf(now) - dayOf(then);
	if (minutes === 0) return say("ago.now");
	if (minutes > 0 && minutes < 60) return say("ago.minute", { count: minutes });
	if (days === 0) return minutes < 0 ? say("time.today") : say("ago.hour", { count: Math.floor(minutes / 60) });
	if (days === 1) return say("time.yesterday");
	if (days > 1 && days < 7) return say("ago.weekday", { day: written(then, { weekday: "long" }) });
	return written(then, then.getFullYear() === now.getFullYear() ? DAY : { ...DAY, year: "numeric" });
}

/** The day and the minute, in words. "" as above. */
export function exactly(iso: string | null | undefined): string {
	const then = new Date(iso ?? "");
	return Number.isNaN(then.getTime()) ? "" : written(then, { dateStyle: "full", timeStyle: "short" });
}

/** A time as people say it; exactly under the pointer, and while what it stands in has the focus. */
export function timeOf(iso: string | null | undefined, now: Date): HTMLElement {
	return h("time", {
		class: "sj-when",
		text: when(iso, now),
		title: exactly(iso),
		attrs: { datetime: iso ?? undefined },
	});
}

/** The number of a calendar's day where the reader is. */
function dayOf(time: Date): number {
	return Math.round(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / DAY_MS);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** As those write it who speak the language of the panel where the reader is: "3 March" or "March 3". */
function written(time: Date, options: Intl.DateTimeFormatOptions): string {
	const spoken = language();
	const locale = window.navigator.languages.find((each) => each.startsWith(spoken)) ?? spoken;
	const key = locale + JSON.stringify(options);
	const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
	formats.set(key, format);
	return format.format(time);
}
