import { describe, expect, it } from "vitest";
import type { AnswerQuote, AnswerReply } from "../../src/api/wire";
import { AnswerCard, isQuestion } from "../../src/panel/results/answerCard";
import { whyWords } from "../../src/panel/results/whyWords";
import { result } from "../helpers/fakeDaemon";

const QUOTE: AnswerQuote = {
	text: "The glass cracked.",
	id: "a1",
	profile: "home",
	vault: "Notes",
	path: "Lamp.md",
	title: "Lamp",
	headings: ["Lamp", "Repairs"],
	line: 4,
};
const reply = (sentences: AnswerReply["sentences"], change: Partial<AnswerReply> = {}): AnswerReply => ({
	status: "answered",
	sentences,
	way: "extract",
	model: "",
	sent_to: "",
	notice: "",
	unanswered: [],
	...change,
});
const sentence = (
	text: string,
	change: Partial<AnswerQuote> = {},
	verified = true,
): AnswerReply["sentences"][number] => ({ text, verified, quotes: [{ ...QUOTE, text, ...change }] });

describe("why a result is there", () => {
	it.each<[name: string, change: Parameters<typeof whyWords>[0], words: string]>([
		[
			"by its words",
			{ ...result(), words: { has: ["sync", "two"], lacks: ["notes"], forms: [] } },
			"has sync and two; lacks notes",
		],
		[
			"by another form of a word",
			{ ...result(), words: { has: ["peat"], lacks: [], forms: [{ typed: "fasting", said: "fast" }] } },
			"has peat; says fast for fasting",
		],
		[
			"by meaning alone",
			{ ...result(), found_by: "meaning", words: { has: [], lacks: ["sync"], forms: [] } },
			"lacks sync; near in meaning",
		],
		[
			"as the nearest",
			{ ...result(), explain: [{ signal: "semantic", points: 0.3, rank: 1, raw: 0.2 }] },
			"nearest in meaning",
		],
		["far in meaning", { ...result(), explain: [{ signal: "semantic", points: 0, rank: 90, raw: 0.8 }] }, ""],
		["by links", { ...result(), found_by: "links", explain: [] }, "other notes link here with these words"],
		[
			"as opened before",
			{ ...result(), explain: [{ signal: "opened", points: 0.01, rank: null, raw: null }] },
			"opened before after the same search",
		],
		[
			"not by what counts against it",
			{ ...result(), explain: [{ signal: "neighbours", points: -0.02, rank: null, raw: null }] },
			"",
		],
	])("%s", (_, given, words) => expect(whyWords(given)).toBe(words));
});

describe("what is a question", () => {
	it.each([
		["how do I roll back", true],
		["lantern glass?", true],
		["wann kommt es", true],
		["为什么？", true],
		["sour dough bread recipe from home", true],
		["sour dough", false],
		["tag:a tag:b tag:c tag:d", false],
		["", false],
	])("%s: %s", (query, want) => expect(isQuestion(query)).toBe(want));
});

describe("the answer card", () => {
	const opened: [string, number | undefined][] = [];
	const sent: string[] = [];
	const cardFor = (
		ask: (question: string) => Promise<AnswerReply | null>,
		model: AnswerReply = reply([]),
	): AnswerCard =>
		new AnswerCard({
			ask,
			askModel: (question) => (sent.push(question), Promise.resolve(model)),
			open: ({ path, line }) => opened.push([path, line]),
		});

	it("quotes sentences by note, each with a source that opens and a tick", async () => {
		const card = cardFor(() =>
			Promise.resolve(
				reply([
					sentence("The glass cracked."),
					sentence("Polish brass.", { path: "Frame.md", title: "Frame", headings: ["Frame"], line: 2 }),
					sentence("A pane comes."),
				]),
			),
		);
		await card.answer("what cracked?", undefined);
		expect([...card.element.querySelectorAll("blockquote")].map((quote) => quote.textContent)).toEqual([
			"The glass cracked. … A pane comes.",
			"Polish brass.",
		]);
		expect([...card.element.querySelectorAll("button")].map((source) => source.textContent)).toEqual([
			"Lamp › Repairs",
			"Frame",
			"Ask a language model",
		]);
		expect(card.element.querySelectorAll(".sj-verified")).toHaveLength(2);
		card.element.querySelectorAll("button")[1]?.click();
		expect(opened).toEqual([["Frame.md", 2]]);
	});

	it("shows words without the marks around them", async () => {
		const card = cardFor(() =>
			Promise.resolve(
				reply([
					sentence("See [[Frame|the frame]] and [[Lamp]], **now**, or [there](https://x.example): `a*b`."),
				]),
			),
		);
		await card.answer("what cracked?", undefined);
		expect(card.element.querySelector("blockquote")?.textContent).toBe(
			"See the frame and Lamp, now, or there: a*b.",
		);
	});

	it.each<[name: string, model: AnswerReply, words: string, ticks: number]>([
		[
			"that none is named",
			reply([]),
			"No language model is named, and nothing was sent. Name one of your own in a terminal: scrubjay llm use ADDRESS",
			0,
		],
		[
			"what the model says, and what of it is not borne out",
			reply([sentence("The glass cracked."), { text: "It was cold.", verified: false, quotes: [] }], {
				way: "model",
				model: "tiny",
				sent_to: "127.0.0.1:11434",
			}),
			"The glass cracked.LampverifiedIt was cold.not verifiedtiny at 127.0.0.1:11434",
			1,
		],
		[
			"that the notes don't say",
			reply([], { status: "nothing", way: "model", model: "tiny", sent_to: "127.0.0.1:11434" }),
			"Your notes don't say.tiny at 127.0.0.1:11434",
			0,
		],
		[
			"what went wrong",
			reply([], { notice: "The model server did not answer.", sent_to: "127.0.0.1:11434" }),
			"The model server did not answer.The question was sent to 127.0.0.1:11434",
			0,
		],
	])("asks a model only when told to, and says %s", async (_, model, words, ticks) => {
		sent.length = 0;
		const card = cardFor(() => Promise.resolve(reply([sentence("The glass cracked.", {}, false)])), model);
		await card.answer("what cracked?", undefined);
		expect(sent).toEqual([]);
		[...card.element.querySelectorAll("button")].at(-1)?.click();
		await new Promise((resolve) => window.setTimeout(resolve));
		const said = card.element.querySelector(".sj-answer-model");
		expect([sent, said?.textContent, said?.querySelectorAll(".sj-verified").length]).toEqual([
			["what cracked?"],
			words,
			ticks,
		]);
	});

	it("shows no tick for what was not found word for word", async () => {
		const card = cardFor(() => Promise.resolve(reply([sentence("It broke.", {}, false)])));
		await card.answer("what cracked?", undefined);
		expect([card.element.hidden, card.element.querySelector(".sj-verified")]).toEqual([false, null]);
	});

	it.each<[name: string, answer: () => Promise<AnswerReply | null>]>([
		["the notes don't say", () => Promise.resolve(reply([], { status: "nothing" }))],
		["the daemon offers no answers", () => Promise.resolve(null)],
		["the daemon does not answer", () => Promise.reject(new Error("away"))],
	])("is not there where %s", async (_, ask) => {
		const card = cardFor(ask);
		await card.answer("what cracked?", undefined);
		expect(card.element.hidden).toBe(true);
	});

	it("never shows the answer to an older question, and asks each question once", async () => {
		const asked: string[] = [];
		const waiting: ((reply: AnswerReply) => void)[] = [];
		const card = cardFor((question) => {
			asked.push(question);
			return new Promise((answer) => waiting.push(answer));
		});
		const first = card.answer("what cracked?", undefined);
		await card.answer(null, undefined);
		waiting[0]?.(reply([sentence("Old.")]));
		await first;
		expect(card.element.hidden).toBe(true);
		const second = card.answer("who came?", undefined);
		const same = card.answer("who came?", undefined);
		waiting[1]?.(reply([sentence("The keeper.")]));
		await Promise.all([second, same]);
		expect([asked, card.element.textContent?.includes("The keeper.")]).toEqual([
			["what cracked?", "who came?"],
			true,
		]);
	});
});
