import type { Client } from "../../api/client";
import type { NoteReply, Passage } from "../../api/wire";
import { say } from "../../words/say";
import type { MarkdownDrawer, Place } from "../host";
import { fill, h, keepFocus, muted, setAttr, type Child } from "../shared/dom";
import { timeOf } from "../shared/time";
import { icon } from "../shared/icons";
import { pathBeside, pathWords } from "../shared/paths";
import { Press } from "../shared/press";
import { drawText, type DrawnText } from "./noteText";
import { offsetIn } from "./textMarks";

/** While the selection runs down a list, the notes on the way are not fetched. */
const SETTLE_MS = 120;

export interface ReaderOptions {
	client: () => Client;
	/** What the button below the title does. */
	action: { label: string; act: (place: Place) => void };
	/** What draws the Markdown of a note. */
	drawer: (place: Place) => MarkdownDrawer;
}

/** Shows a note as it is indexed: read-only, credentials taken out, the sentence that matched in sight. */
export class Reader {
	readonly element = h("aside", { class: "sj-reader", attrs: { "aria-label": say("reader.label"), tabindex: "0" } });
	/** What is drawn anew under a button that is held would take the click away. */
	private readonly press = new Press(this.element);
	private timer: number | undefined;
	private wanted: string | null = null;
	/** The notes whose links were followed to the one that is shown, the first of them first. */
	private trail: Place[] = [];
	private current: Place | null = null;
	private drawer: MarkdownDrawer | null = null;
	private marks: readonly HTMLElement[] = [];
	private at = -1;
	private readonly steps = h("span", { class: "sj-reader-steps" });
	private readonly position = h("span", { attrs: { role: "status" } });

	constructor(private readonly options: ReaderOptions) {
		this.element.addEventListener("click", (event) => this.clicked(event));
		this.element.addEventListener("keydown", (event) => {
			if (event.key === "F3" && this.step(event.shiftKey ? -1 : 1)) event.preventDefault();
		});
		const button = (name: "up" | "down", label: string, step: 1 | -1): HTMLElement =>
			h(
				"button",
				{
					class: "sj-reader-step",
					title: label,
					attrs: { "aria-label": label, "data-focus": name },
					on: { click: () => this.step(step) },
				},
				icon(name),
			);
		this.steps.append(
			button("up", say("reader.previous"), -1),
			button("down", say("reader.next"), 1),
			this.position,
		);
		this.drawHint();
	}

	/**
	 * Show the note of this place soon; of several in a row, only the last. isKept: nobody chose it anew; who reads on
	 * stays where they are, also in a note that links led to from it.
	 */
	show(place: Place | null, isKept = false): void {
		if (isKept && this.trail.length > 0) return;
		const key =
			place && `${place.indexed?.id ?? ""} ${place.path} ${place.line ?? ""} ${(place.matches ?? []).join(" ")}`;
		if (key !== null && key === this.wanted) return;
		this.wanted = key;
		this.trail = [];
		this.current = place;
		window.clearTimeout(this.timer);
		if (!place?.indexed) return this.drawHint();
		this.timer = window.setTimeout(() => void this.load(place, key, isKept), SETTLE_MS);
	}

	/** Go to another match of the note, past the last to the first. Says whether there is any. */
	step(by: 1 | -1): boolean {
		const { length } = this.marks;
		if (length === 0) return false;
		this.marks[this.at]?.classList.remove("is-here");
		this.arrive((this.at + by + length) % length);
		const mark = this.marks[this.at];
		if (mark) this.bringIntoView(mark, true);
		return true;
	}

	private arrive(at: number): void {
		this.at = at;
		this.marks[at]?.classList.add("is-here");
		this.position.textContent = say("reader.match", { number: at + 1, all: this.marks.length });
	}

	/** What was drawn by the host is let go. */
	dispose(): void {
		window.clearTimeout(this.timer);
		this.wanted = null;
		this.drawer?.release();
		this.drawer = null;
	}

	private clicked(event: MouseEvent): void {
		const link =
			event.target instanceof Element ? event.target.closest<HTMLElement>("[data-note], a.internal-link") : null;
		const { note, href = "" } = link?.dataset ?? {};
		const name = note ?? href.replace(/[#^|].*$/, "").trim();
		if (name === "") return;
		event.preventDefault();
		void this.follow(name, link?.dataset["heading"] ?? /#([^#^|]+)$/.exec(href)?.[1] ?? "");
	}

	/** Show the note that a link names, from the heading on that it names, and remember the way back. */
	private async follow(name: string, heading: string): Promise<void> {
		const from = this.current;
		if (!from?.indexed) return;
		const reply = await this.options
			.client()
			.askIfOffered("POST /v1/read", { notes: namesOf(name, from.path), profiles: [from.indexed.profile] })
			.catch(() => null);
		if (!this.current || !isSameNote(from, this.current)) return;
		const found = reply?.notes[0];
		if (!found) return this.say(say("reader.unknown", { name }));
		const { id, profile, vault, path, title, modified } = found;
		this.trail.push(this.current);
		const headings = heading === "" ? [] : [heading];
		this.turnTo({ indexed: { id, profile }, vault, path, title, modified, headings });
	}

	private turnTo(place: Place): void {
		this.current = place;
		this.wanted = `${place.path} ${this.trail.length}`;
		const focus = (): void => {
			if (this.current === place) this.element.focus();
		};
		void this.load(place, this.wanted).then(focus);
	}

	private say(words: string): void {
		this.element.querySelector(".sj-reader-said")?.remove();
		this.element.prepend(h("p", { class: "sj-reader-said sj-muted", text: words, attrs: { role: "status" } }));
	}

	/** stays: at what is in sight. */
	private async load(place: Place, key: string | null, stays = false): Promise<void> {
		const { client, drawer: drawerOf } = this.options;
		if (!place.indexed) return;
		const { id, profile } = place.indexed;
		const note = await client()
			.askIfOffered("GET /v1/notes/{chunk_id}", { chunk_id: id, profile, path: place.path })
			.catch(() => null);
		if (key !== this.wanted) return;
		const drawer = drawerOf(place);
		const text =
			note && (await drawText(note, place, { drawer, picture: (passage) => this.pictureOf(place, passage) }));
		await this.press.released();
		if (key !== this.wanted) return drawer.release();
		this.drawer?.release();
		this.drawer = drawer;
		this.draw(place, note, text, stays);
	}

	/** A button that shows the page as it looks, once it is asked for: drawing it takes a moment. */
	private pictureOf(place: Place, { id, place: page }: Passage): HTMLElement | false {
		const { indexed, path } = place;
		if (!indexed) return false;
		const shown = h("div", { class: "sj-reader-picture" });
		const show = async (): Promise<void> => {
			const found = await this.options
				.client()
				.askIfOffered("GET /v1/notes/{chunk_id}/page", {
					chunk_id: id,
					profile: indexed.profile,
					path,
					page: Number(page),
				})
				.catch(() => null);
			if (this.current !== place) return;
			fill(
				shown,
				found
					? h("img", {
							attrs: {
								src: `data:image/png;base64,${found.png}`,
								alt: say("reader.pictureOf", { place: page }),
							},
						})
					: h("p", { class: "sj-muted", text: say("reader.noPicture"), attrs: { role: "status" } }),
			);
		};
		fill(
			shown,
			h(
				"button",
				{ class: "sj-button", on: { click: () => void show() } },
				icon("picture"),
				say("reader.picture"),
			),
		);
		return shown;
	}

	private drawHint(): void {
		this.marks = [];
		fill(
			this.element,
			h("div", { class: "sj-reader-hint" }, icon("note", "sj-notice-icon"), h("p", { text: say("reader.hint") })),
		);
	}

	private draw(place: Place, note: NoteReply | null, text: DrawnText | null, stays: boolean): void {
		const { sections = [], marks = [], target = null } = text ?? {};
		const stepped = stays ? this.indexOfHere(sections, marks) : -1;
		this.marks = marks;
		// The first step leads to the first match of the sentence that is in sight.
		this.at =
			Math.max(
				0,
				marks.findIndex((mark) => mark.querySelector(".sj-sentence")),
			) - 1;
		this.position.textContent = "";
		if (stepped >= 0) this.arrive(stepped);
		const missing = note === null && muted(say("reader.gone"));
		const { scrollTop } = this.element;
		const isLost = keepFocus(
			this.element,
			() => fill(this.element, this.head(place, note), missing, ...sections),
			"data-note",
			"data-href",
		);
		if (isLost) this.element.focus();
		this.element.scrollTop = stays ? scrollTop : 0;
		if (target && !stays) this.bringIntoView(target, false);
	}

	/** Which mark of the text that was drawn anew stands where F3 has led to in the text before; -1: none. */
	private indexOfHere(sections: readonly HTMLElement[], marks: readonly HTMLElement[]): number {
		const here = this.element.querySelector<HTMLElement>("mark.is-here");
		const before = [...this.element.querySelectorAll(".sj-reader-passage")];
		const passage = before.find((each) => each.contains(here));
		const section = passage && sections[before.indexOf(passage)];
		if (!here || !section) return -1;
		const offset = offsetIn(passage, here);
		return marks.findIndex((mark) => section.contains(mark) && offsetIn(section, mark) === offset);
	}

	private head(place: Place, note: NoteReply | null): HTMLElement {
		const { label, act } = this.options.action;
		const redactions = note?.redactions ?? 0;
		const time = place.modified ? timeOf(place.modified, new Date()) : "";
		if (time) setAttr(time, "tabindex", 0);
		const redacted = redactions > 0 ? say("result.redacted", { count: redactions }) : "";
		const facts = [time, redacted].flatMap((fact) => (fact === "" ? [] : [" · ", fact]));
		return h(
			"header",
			{ class: "sj-reader-head" },
			this.wayBack(),
			h("h2", { text: place.title, attrs: { dir: "auto" } }),
			h("p", { class: "sj-muted" }, h("bdi", { text: place.vault }), " › ", ...pathWords(place.path), ...facts),
			h(
				"div",
				{ class: "sj-reader-tools" },
				!place.isElsewhere &&
					h(
						"button",
						{
							class: "sj-button sj-button-main",
							attrs: { "data-focus": "open" },
							on: { click: () => act(place) },
						},
						icon("external"),
						label,
					),
				this.marks.length > 0 && this.steps,
			),
		);
	}

	/** The way here, and a button that goes a step back. */
	private wayBack(): HTMLElement | false {
		const before = this.trail.at(-1);
		if (!before) return false;
		const back = (): void => {
			this.trail.pop();
			this.turnTo(before);
		};
		const crumbs = this.trail.flatMap(({ title }, index): Child[] => [
			index > 0 && " › ",
			h("bdi", { text: title }),
		]);
		return h(
			"nav",
			{ class: "sj-reader-way", attrs: { "aria-label": say("reader.way") } },
			h(
				"button",
				{
					class: "sj-reader-back",
					attrs: { "aria-label": say("reader.backTo", { title: before.title }), "data-focus": "back" },
					on: { click: back },
				},
				icon("back"),
			),
			h("span", { class: "sj-muted" }, ...crumbs),
		);
	}

	/** Scroll so that it stands in the upper third, unless it is in sight already. always: also then. */
	private bringIntoView(target: HTMLElement, always: boolean): void {
		const { top: edge, height } = this.element.getBoundingClientRect();
		const { top } = target.getBoundingClientRect();
		const below = top - edge;
		if (always || below > height / 2) this.element.scrollTop += below - height / 3;
	}
}

/** What a link may mean, the likeliest first: a path is one from the folder of its note, or one from the vault. */
function namesOf(link: string, path: string): string[] {
	return /\.md$/i.test(link) ? [...new Set([pathBeside(path, link), pathBeside("", link)])] : [link];
}

function isSameNote({ indexed, vault, path }: Place, other: Place): boolean {
	return indexed?.profile === other.indexed?.profile && vault === other.vault && path === other.path;
}
