import type { AnswerQuote, AnswerReply } from "../../api/wire";
import { say, sayAround } from "../../words/say";
import type { Place } from "../host";
import { fill, h, muted, setAttr } from "../shared/dom";
import { icon } from "../shared/icons";
import { trouble } from "../shared/trouble";
import { Newest } from "../shared/newest";

export interface AnswerCardOptions {
	/** null: the daemon does not offer answers. */
	ask: (question: string, profiles: readonly string[] | undefined) => Promise<AnswerReply | null>;
	/** Asks the language model that the user has named, if there is one. */
	askModel: (question: string, profiles: readonly string[] | undefined) => Promise<AnswerReply>;
	open: (place: Place, event: MouseEvent) => void;
}

/** The sentence that answers a question, word for word, with its source: in two lines until the card is opened. Whether one asks, and one answers, the daemon says; without an answer there is no card. */
export class AnswerCard {
	readonly element = h("section", { class: "sj-answer", attrs: { "aria-label": say("answer.label") } });
	private readonly asked = new Newest();
	private question = "";

	constructor(private readonly options: AnswerCardOptions) {
		this.element.hidden = true;
	}

	/** Answer what was searched for, if it asks something; null: nothing. Never rejects. */
	async answer(question: string | null, profiles: readonly string[] | undefined): Promise<void> {
		const key = question === null ? "" : `${question}\n${(profiles ?? []).join("\n")}`;
		if (key === this.question) return;
		this.question = key;
		const isNewest = this.asked.begin();
		this.element.hidden = true;
		if (question === null) return;
		const reply = await this.options.ask(question, profiles).catch(() => null);
		if (isNewest()) this.draw(reply, question, profiles, isNewest);
	}

	private draw(
		reply: AnswerReply | null,
		question: string,
		profiles: readonly string[] | undefined,
		isNewest: () => boolean,
	): void {
		const sentence = reply?.status === "answered" ? reply.sentences[0] : undefined;
		const source = sentence?.quotes.at(-1);
		this.element.hidden = !source;
		const model = h("div", { class: "sj-answer-model", attrs: { "aria-live": "polite" } });
		const ask = h("button", {
			class: "sj-answer-source",
			text: say("answer.askModel"),
			on: { click: () => void this.askModel(question, profiles, model, isNewest) },
		});
		fill(model, ask);
		fill(this.element, this.opener(), sentence && source && this.answerOf(sentence.text, source), model);
	}

	private opener(): HTMLElement {
		const opener = h(
			"button",
			{
				class: "sj-quiet sj-answer-opener",
				title: say("answer.more"),
				attrs: { "aria-label": say("answer.more") },
				on: { click: () => open(!this.element.classList.contains("is-open")) },
			},
			icon("down"),
		);
		const open = (isOpen: boolean): void => {
			this.element.classList.toggle("is-open", isOpen);
			setAttr(opener, "aria-expanded", String(isOpen));
		};
		open(false);
		return opener;
	}

	/** Nothing is sent before the click, nor after it where no model is named. */
	private async askModel(
		question: string,
		profiles: readonly string[] | undefined,
		place: HTMLElement,
		isNewest: () => boolean,
	): Promise<void> {
		fill(place, muted(say("answer.asking")));
		try {
			const reply = await this.options.askModel(question, profiles);
			if (isNewest()) fill(place, ...this.said(reply));
		} catch (error) {
			if (isNewest()) fill(place, h("p", { class: "sj-muted", text: trouble(error) }));
		}
	}

	private said(reply: AnswerReply): HTMLElement[] {
		const isUnnamed = reply.sent_to === "" && reply.notice === "" && reply.way === "extract";
		if (isUnnamed)
			return [
				muted(...sayAround("answer.noModel", { command: h("code", { text: "scrubjay llm use ADDRESS" }) })),
			];
		const sentences = reply.way === "model" ? reply.sentences.map((sentence) => this.sentence(sentence)) : [];
		const none =
			reply.way === "model" && sentences.length === 0 && reply.notice === "" ? say("answer.notThere") : "";
		const from =
			reply.sent_to === ""
				? ""
				: reply.model === ""
					? say("answer.sentTo", { address: reply.sent_to })
					: say("answer.from", { model: reply.model, address: reply.sent_to });
		return [
			...sentences,
			...[none, reply.notice, from].filter(Boolean).map((text) => h("p", { class: "sj-muted", text })),
		];
	}

	/** A sentence of the model, and whether what it quotes is in the notes. */
	private sentence({ text, verified, quotes }: AnswerReply["sentences"][number]): HTMLElement {
		const sources = quotes.map((quote) =>
			h(
				"button",
				{
					class: "sj-answer-source",
					title: quote.text,
					attrs: { dir: "auto" },
					on: { click: (event) => this.options.open(placeOfQuote(quote), event) },
				},
				icon("note"),
				quote.title,
			),
		);
		const mark = verified
			? h("span", { class: "sj-verified" }, icon("check"), say("answer.quoted"))
			: h("span", { class: "sj-muted", text: say("answer.unquoted") });
		return h("div", { class: "sj-answer-part" }, h("p", { text, attrs: { dir: "auto" } }), ...sources, mark);
	}

	private answerOf(text: string, source: AnswerQuote): HTMLElement {
		const { title, headings } = source;
		const trail = [title, ...headings.filter((heading) => heading !== title)].join(" › ");
		return h(
			"figure",
			{ class: "sj-answer-part" },
			h("blockquote", { text, attrs: { dir: "auto" } }),
			h(
				"figcaption",
				{},
				h(
					"button",
					{
						class: "sj-answer-source",
						attrs: { dir: "auto" },
						on: { click: (event) => this.options.open(placeOfQuote(source), event) },
					},
					icon("note"),
					trail,
				),
				h("span", { class: "sj-muted", text: say("answer.verbatim") }),
			),
		);
	}
}

function placeOfQuote({ id, profile, vault, path, title, headings, line, text }: AnswerQuote): Place {
	return { indexed: { id, profile }, vault, path, title, headings, line, matches: [text] };
}
