import type { Client } from "../../api/client";
import type { NoteReply, Passage } from "../../api/wire";
import type { Place } from "../host";
import { fill, h } from "../shared/dom";
import { ago, count } from "../shared/format";
import { icon } from "../shared/icons";

/** While the selection runs down a list, the notes on the way are not fetched. */
const SETTLE_MS = 120;

type RenderMarkdown = (typeof import("./markdown"))["renderMarkdown"];

export interface ReaderAction {
	label: string;
	act: (place: Place) => void;
}

/** Shows a note as it is indexed: read-only, credentials taken out, the matching passage in sight. */
export class Reader {
	readonly element = h("aside", { class: "sj-reader", attrs: { "aria-label": "Selected note", tabindex: "0" } });
	private timer: number | undefined;
	private wanted: string | null = null;
	/** The notes whose links were followed to the one that is shown, the first of them first. */
	private trail: Place[] = [];
	private current: Place | null = null;

	constructor(
		private readonly client: () => Client,
		private readonly action: ReaderAction,
	) {
		this.element.addEventListener("click", ({ target }) => {
			const name = target instanceof Element ? target.closest<HTMLElement>("[data-note]")?.dataset["note"] : undefined;
			if (name !== undefined) void this.follow(name);
		});
		this.drawHint();
	}

	/** Show the note of this place soon; of several in a row, only the last. */
	show(place: Place | null): void {
		const key = place && `${place.indexed?.id ?? ""} ${place.path} ${place.line ?? ""} ${(place.matches ?? []).join(" ")}`;
		if (key !== null && key === this.wanted) return;
		this.wanted = key;
		this.trail = [];
		this.current = place;
		window.clearTimeout(this.timer);
		if (!place?.indexed) return this.drawHint();
		const { id, profile } = place.indexed;
		this.timer = window.setTimeout(() => void this.load(place, this.client().note(id, profile, place.path), key), SETTLE_MS);
	}

	/** Show the note that a link names, and remember the way back. */
	private async follow(name: string): Promise<void> {
		const from = this.current;
		if (!from?.indexed) return;
		const found = await this.client().noteCalled(name, from.indexed.profile).catch(() => null);
		if (from !== this.current) return;
		if (!found) return this.say(`No indexed note is called ${name}.`);
		const { id, profile, vault, path, title, modified } = found;
		this.trail.push(from);
		this.turnTo({ indexed: { id, profile }, vault, path, title, modified });
	}

	private turnTo(place: Place): void {
		this.current = place;
		this.wanted = `${place.path} ${this.trail.length}`;
		if (!place.indexed) return;
		const { id, profile } = place.indexed;
		const focus = (): void => {
			if (this.current === place) this.element.focus();
		};
		void this.load(place, this.client().note(id, profile, place.path), this.wanted).then(focus);
	}

	private say(words: string): void {
		this.element.querySelector(".sj-reader-said")?.remove();
		this.element.prepend(h("p", { class: "sj-reader-said sj-muted", text: words, attrs: { role: "status" } }));
	}

	/** The way here, and a button that goes a step back. */
	private wayBack(): HTMLElement | false {
		const before = this.trail.at(-1);
		if (!before) return false;
		const back = (): void => {
			this.trail.pop();
			this.turnTo(before);
		};
		const crumbs = this.trail.map(({ title }) => title).join(" › ");
		return h("nav", { class: "sj-reader-way", attrs: { "aria-label": "Way back" } }, h("button", { class: "sj-reader-back", attrs: { "aria-label": `Back to ${before.title}` }, on: { click: back } }, icon("back")), h("span", { class: "sj-muted", text: crumbs, attrs: { dir: "auto" } }));
	}

	/** What reads Markdown is a third of the panel's code and first needed here: it is not run before. */
	private async load(place: Place, asked: Promise<NoteReply | null>, key: string | null): Promise<void> {
		const [note, { renderMarkdown }] = await Promise.all([asked.catch(() => null), import("./markdown")]);
		if (key !== this.wanted) return;
		this.draw(place, note, renderMarkdown);
	}

	private drawHint(): void {
		fill(this.element, h("div", { class: "sj-reader-hint" }, icon("note", "sj-notice-icon"), h("p", { text: "The selected note is shown here." })));
	}

	private draw(place: Place, note: NoteReply | null, render: RenderMarkdown): void {
		const passages = note?.passages ?? [];
		const shown = passages.map((passage, index) => passageSection(passage, passages[index - 1], place, render));
		const missing = note === null && h("p", { class: "sj-muted", text: "The daemon has no text of this note any more." });
		fill(this.element, this.head(place, note), missing, ...shown);
		this.element.scrollTop = 0;
		const target = shown.find((section) => section.classList.contains("is-match"));
		if (target) bringIntoView(this.element, target);
	}

	private head(place: Place, note: NoteReply | null): HTMLElement {
		const { label, act } = this.action;
		const facts = [`${place.vault} › ${place.path}`, ago(place.modified, new Date()), note && note.redactions > 0 ? `${count(note.redactions, "credential")} redacted` : ""];
		return h(
			"header",
			{ class: "sj-reader-head" },
			this.wayBack(),
			h("h2", { text: place.title, attrs: { dir: "auto" } }),
			h("p", { class: "sj-muted", text: facts.filter((fact) => fact !== "").join(" · ") }),
			h("button", { class: "sj-button sj-button-main", on: { click: () => act(place) } }, icon("external"), label),
		);
	}
}

function passageSection(passage: Passage, before: Passage | undefined, place: Place, render: RenderMarkdown): HTMLElement {
	const isMatch = passage.line === place.line;
	const heading = passage.headings.at(-1);
	const isNew = heading !== undefined && heading !== place.title && heading !== before?.headings.at(-1);
	const text = render(passage.text, isMatch ? (place.matches ?? []) : []);
	return h("section", { class: isMatch ? "sj-reader-passage is-match" : "sj-reader-passage" }, isNew && h("h3", { text: heading, attrs: { dir: "auto" } }), ...text);
}

function bringIntoView(scroller: HTMLElement, target: HTMLElement): void {
	const above = target.offsetTop - scroller.offsetTop;
	if (above > scroller.clientHeight / 2) scroller.scrollTop = above - scroller.clientHeight / 4;
}
