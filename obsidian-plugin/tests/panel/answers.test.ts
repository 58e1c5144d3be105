import { describe, expect, it } from "vitest";
import type { AnswerQuote, AnswerReply } from "../../src/api/wire";
import { AnswerCard } from "../../src/panel/results/answerCard";
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
	modified: "2026-03-01T12:00:00Z",
	dated: null,
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
): AnswerReply["sentences"][number] => ({ text, verified, own: false, quotes: [{ ...QUOTE, text, ...change }] });

describe("why a result is there", () => {
	it.each<[name: string, change: Parameters<typeof whyWords>[0], words: string]>([
		[
			"by its words",
			{
				...result(),
				words: {
					has: ["sync", "two", "peat", "moor"],
					lacks: ["notes"],
					forms: [],
					places: ["text", "title", "text", "tag"],
				},
			},
			"This result has two in its title, and has moor in a tag, and has sync and peat in its text, and lacks notes.",
		],
		[
			"by another form of a word",
			{
				...result(),
				words: { has: ["peat"], lacks: [], forms: [{ typed: "fasting", said: "fast" }], places: ["heading"] },
			},
			"This result has peat in a heading, and says fast for fasting.",
		],
		[
			"by meaning alone",
			{ ...result(), found_by: "meaning", words: { has: [], lacks: ["sync"], forms: [], places: [] } },
			"This result lacks sync, and is near in meaning.",
		],
		[
			"as the nearest",
			{ ...result(), explain: [{ signal: "semantic", points: 0.3, rank: 1, raw: 0.2 }] },
			"This result is the nearest in meaning.",
		],
		[
			"far in meaning",
			{ ...result(), explain: [{ signal: "semantic", points: 0, rank: 90, raw: 0.8 }] },
			"This result is not near in meaning.",
		],
		[
			"not found by meaning",
			{ ...result(), explain: [{ signal: "semantic", points: 0, rank: null, raw: null }] },
			"This result is not near in meaning.",
		],
		["by filters", { ...result(), found_by: "filters", explain: [] }, "This result passes the filters."],
		[
			"by links",
			{ ...result(), found_by: "links", explain: [] },
			"This result is linked from other notes with these words.",
		],
		[
			"as opened before",
			{ ...result(), explain: [{ signal: "opened", points: 0.01, rank: null, raw: null }] },
			"This result was opened before after the same search.",
		],
		[
			"not by what counts against it",
			{ ...result(), explain: [{ signal: "neighbours", points: -0.02, rank: null, raw: null }] },
			"",
		],
	])("%s", (_, given, words) => expect(whyWords(given)).toBe(words));
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

	it("is opened and closed by one button, and closed again for the next answer", async () => {
		const card = cardFor(() => Promise.resolve(reply([sentence("The glass cracked.")])));
		const opener = (): HTMLElement | null => card.element.querySelector(".sj-answer-opener");
		const expanded = (): string | null | undefined => opener()?.getAttribute("aria-expanded");
		await card.answer("what cracked?", undefined);
		const seen = [expanded()];
		for (let press = 0; press < 3; press += 1) {
			opener()?.click();
			seen.push(expanded());
		}
		await card.answer("what broke?", undefined);
		expect([...seen, expanded()]).toEqual(["false", "true", "false", "true", "false"]);
	});

	it("shows the sentence as it was sent, that it is word for word, and its source, which opens", async () => {
		const card = cardFor(() =>
			Promise.resolve(
				reply([
					{
						text: "Lamp: brass · Glass: cracked",
						verified: true,
						own: true,
						quotes: [
							{ ...QUOTE, text: "| Lamp | Glass |", line: 2 },
							{ ...QUOTE, text: "| brass | cracked |", line: 5 },
						],
					},
				]),
			),
		);
		await card.answer("what cracked?", undefined);
		expect(card.element.querySelector("blockquote")?.textContent).toBe("Lamp: brass · Glass: cracked");
		expect(card.element.querySelector("figcaption")?.textContent).toBe("Lamp › Repairsword for word in your note");
		card.element.querySelector<HTMLElement>(".sj-answer-source")?.click();
		expect(opened).toEqual([["Lamp.md", 5]]);
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
			reply([sentence("The glass cracked."), { text: "It was cold.", verified: false, own: false, quotes: [] }], {
				way: "model",
				model: "tiny",
				sent_to: "127.0.0.1:11434",
			}),
			"The glass cracked.Lampwhat it quotes is in your notesIt was cold.not found in your notestiny at 127.0.0.1:11434",
			1,
		],
		[
			"that the notes don't say",
			reply([], { status: "nothing", way: "model", model: "tiny", sent_to: "127.0.0.1:11434" }),
			"No sentence in your notes surely answers this.tiny at 127.0.0.1:11434",
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
