import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { OfferedNote } from "../../api/words";
import { say } from "../../words/say";
import { placeOfNote, type Host, type Mention, type OpenIn } from "../host";
import type { CardContext, RelatedActions } from "../results/cardParts";
import { ResultPane } from "../results/resultPane";
import { placeOfRow, resultKey, type RelatedRow, type Row } from "../results/rows";
import { actionOf, isSpent, placeOfClick, type Action } from "../search/box/keys";
import { fill, h, setAttr } from "../shared/dom";
import { emptyNotice, errorNotice, helpFor, notOffered } from "../shared/notice";
import { Press } from "../shared/press";
import { noneNotice } from "../status/missing";
import { NoteMarks, type Mark } from "./noteMarks";
import { isLinked, relatedRows } from "./relatedRows";
import { Newest } from "../shared/newest";
import type { RelatedAnswers } from "./relatedAnswers";

export interface ActiveNote {
	vault: string;
	path: string;
	title: string;
	/** 1-based line at which the section under the cursor begins. */
	line?: number;
}

export interface RelatedViewOptions {
	client: () => Client;
	answers: RelatedAnswers;
	host: Host;
	active: () => ActiveNote | null;
	/** The heading; without it, the name of the note. */
	title?: string;
	context: () => Omit<CardContext, "actions">;
}

const FOLLOW_KEY = "related-follows-section";
const SHOWN_NOTES = 10;
const MOST_NOTES = 100;
/** Letters of a paragraph that is being written: fewer say nothing yet, more nothing else. */
const [LEAST_WRITTEN, MOST_WRITTEN] = [20, 400];
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** Notes related to the active one, by meaning and by links: to be opened, linked where they are named, pinned and hidden. */
export class RelatedView {
	readonly element: HTMLElement;
	private readonly title = h("h2", { text: say("related.title") });
	private readonly message = h("div", { class: "sj-message" });
	private readonly pane: ResultPane;
	private readonly follow: HTMLButtonElement;
	private readonly hidden: HTMLButtonElement;
	private readonly marks: NoteMarks;
	private readonly asked = new Newest();
	private readonly press: Press;
	private shown: string | null = null;
	/** Beside which note the list stands. */
	private active: ActiveNote | null = null;
	private notes: readonly OfferedNote[] = [];
	private mentions: ReadonlyMap<string, Mention> = new Map();
	private showsHidden = false;

	constructor(private readonly options: RelatedViewOptions) {
		const { host, context } = options;
		this.marks = new NoteMarks(host.storage);
		this.pane = new ResultPane({
			label: say("related.title"),
			host,
			context: () => ({
				...context(),
				actions: { unfold: () => undefined, explain: () => undefined, related: this.actions },
			}),
			onOpen: (row, event) => this.open(row, placeOfClick(event, host.isMac)),
			onSelect: () => undefined,
			onKey: (event) => this.pressed(event),
		});
		this.follow = h("button", {
			class: "sj-chip",
			text: say("related.follow"),
			on: { click: () => this.toggleFollow() },
		});
		this.hidden = h("button", { class: "sj-chip", on: { click: () => this.toggleHidden() } });
		this.element = h(
			"div",
			{ class: "sj-search sj-related" },
			h(
				"div",
				{ class: "sj-related-head" },
				this.title,
				h("div", { class: "sj-chips" }, this.hidden, this.follow),
			),
			this.message,
			this.pane.element,
		);
		this.press = new Press(this.element);
		this.markFollow();
		this.markHidden();
	}

	/** Does the pane want to know where in the note the cursor is? */
	get followsSection(): boolean {
		return this.options.host.storage.read(FOLLOW_KEY) === true;
	}

	/** The active note or section may have changed. Asks only if it has; never rejects. */
	async update(force = false): Promise<void> {
		const active = this.options.active();
		const line = this.followsSection ? active?.line : undefined;
		const key = active ? `${active.vault}\n${active.path}\n${line ?? ""}` : "";
		if (key === this.shown && !force) return;
		this.shown = key;
		const isNewest = this.asked.begin();
		const drawAnswer: typeof this.drawAnswer = (...answer) => {
			if (isNewest()) this.drawAnswer(...answer);
		};
		if (!active) {
			const none = emptyNotice("note", say("related.noNote"), say("related.noNote.detail"));
			return drawAnswer(active, [], none);
		}
		try {
			const most = Math.min(MOST_NOTES, SHOWN_NOTES + this.marks.hidden(active).length);
			const { vault, path } = active;
			const reply = await this.options.answers.related({ vault, path, line, limit: most });
			const notes = reply ?? [];
			const mentions = await this.mentionsOf(active, notes);
			const none = emptyNotice("note", say("related.nothing"), say("related.nothing.detail"));
			const instead =
				reply === null
					? notOffered("note", "missing.related")
					: notes.length > 0
						? none
						: await noneNotice(this.options.client(), none);
			drawAnswer(active, notes, instead, mentions);
		} catch (error) {
			const known = asApiError(error);
			drawAnswer(
				active,
				[],
				known.isNoSuchNote
					? emptyNotice("note", say("related.notIndexed"), say("related.notIndexed.detail"))
					: errorNotice(
							known,
							helpFor(known, this.options.host, () => void this.update(true)),
						),
			);
		}
	}

	/** What is near to a paragraph that is being written, as it stands: the index may not have it yet. Never rejects. */
	async writing(paragraph: string): Promise<void> {
		const { active } = this;
		const query = (paragraph.toLowerCase().match(WORDS) ?? []).join(" ").slice(0, MOST_WRITTEN);
		if (!active || query.length < LEAST_WRITTEN) return;
		const isNewest = this.asked.begin();
		const notes = await this.options.answers.near(
			`${query} -path:"${active.path.replaceAll('"', '\\"')}"`,
			SHOWN_NOTES,
		);
		if (!isNewest() || notes === null || notes.length === 0) return;
		const mentions = await this.mentionsOf(active, notes);
		if (!isNewest()) return;
		this.shown = null;
		const none = emptyNotice("note", say("related.nothing"), say("related.nothing.detail"));
		this.drawAnswer(active, notes, none, mentions);
	}

	/** The user came to work with the list: it takes the keys. */
	focus(): void {
		this.pane.element.focus();
	}

	dispose(): void {
		this.asked.begin();
		this.pane.dispose();
	}

	private readonly actions: RelatedActions = {
		link: (row) => void this.link(row),
		pin: (row) => this.mark(row, row.mark === "pinned" ? null : "pinned"),
		hide: (row) => this.mark(row, row.mark === "hidden" || row.mark === "everywhere" ? null : "hidden"),
		hideEverywhere: (row) => this.mark(row, "everywhere"),
	};

	/** Where the note names those that it has no link to. A mention that can't be looked for is none. */
	private async mentionsOf(
		{ path }: ActiveNote,
		notes: readonly OfferedNote[],
	): Promise<ReadonlyMap<string, Mention>> {
		const { host } = this.options;
		const found = notes
			.filter((note) => !isLinked(note))
			.map(async (note): Promise<[string, Mention | null]> => [
				resultKey(note),
				(await host.mentionIn?.(path, placeOfNote(note)).catch(() => null)) ?? null,
			]);
		return new Map((await Promise.all(found)).filter((each): each is [string, Mention] => each[1] !== null));
	}

	private async link(row: RelatedRow): Promise<void> {
		const { host } = this.options;
		if (!this.active || !row.mention) return;
		const isLinked = await host
			.linkMention?.(this.active.path, placeOfNote(row.note), row.mention)
			.catch(() => false);
		if (!isLinked) return this.update(true);
		this.pane.keepSelection();
		this.mentions = new Map([...this.mentions].filter(([key]) => key !== row.key));
		this.notes = this.notes.map((note) =>
			resultKey(note) === row.key ? { ...note, unlinked: false, reasons: ["linked from here"] } : note,
		);
		this.drawRows();
	}

	private mark(row: RelatedRow, mark: Mark | null): void {
		if (!this.active) return;
		if (mark === "hidden" || mark === "everywhere") this.pane.move(1);
		this.pane.keepSelection();
		this.marks.set(this.active, row.note, mark);
		this.drawRows();
	}

	/** Draw an answer: now, or once a button that is held is released, as what is pressed is meant as it stands. */
	private drawAnswer(
		active: ActiveNote | null,
		notes: readonly OfferedNote[],
		instead: HTMLElement,
		mentions = this.mentions,
	): void {
		this.press.after(() => {
			this.active = active;
			this.notes = notes;
			this.mentions = mentions;
			this.title.textContent = this.options.title ?? this.active?.title ?? say("related.title");
			const rows = this.drawRows();
			fill(this.message, rows === 0 && instead);
		});
	}

	/** Says how many rows there are. */
	private drawRows(): number {
		const { active, marks } = this;
		const hidden = active ? marks.hidden(active) : [];
		const rows = active
			? relatedRows(this.notes, {
					of: (note) => marks.of(active, note),
					pinned: marks.pinned(active),
					hidden: this.showsHidden ? hidden : [],
					mentions: this.mentions,
				})
			: [];
		this.pane.set(rows, true);
		this.markHidden(hidden.length);
		return rows.length;
	}

	private open(row: Row | null, where: OpenIn): void {
		const place = row && placeOfRow(row);
		if (place) this.options.host.open(place, where);
	}

	private pressed(event: KeyboardEvent): void {
		const action = actionOf(event, this.options.host.isMac);
		const step = this.letter(event) ?? this.step(action);
		if (!step) return;
		event.preventDefault();
		if (!isSpent(event, action)) step();
	}

	private step(action: Action | null): (() => void) | undefined {
		const { pane, options } = this;
		const place = pane.current && placeOfRow(pane.current);
		const steps: Partial<Record<Action, () => void>> = {
			next: () => pane.move(1),
			previous: () => pane.move(-1),
			"page-down": () => pane.movePage(1),
			"page-up": () => pane.movePage(-1),
			open: () => this.open(pane.current, "here"),
			"open-tab": () => this.open(pane.current, "tab"),
			"open-split": () => this.open(pane.current, "split"),
			"insert-link": () => place && options.host.insertLink?.(place),
		};
		return action === null ? undefined : steps[action];
	}

	/** What a letter alone does to the selected note. */
	private letter({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: KeyboardEvent): (() => void) | undefined {
		const row = this.pane.current;
		if (row?.kind !== "related" || ctrlKey || metaKey || altKey || isComposing) return undefined;
		const { link, pin, hide, hideEverywhere } = this.actions;
		const act = { l: link, p: pin, h: shiftKey ? hideEverywhere : hide }[key.toLowerCase()];
		return act && ((): void => act(row));
	}

	private toggleHidden(): void {
		this.showsHidden = !this.showsHidden;
		this.drawRows();
	}

	private markHidden(count = 0): void {
		this.hidden.hidden = count === 0;
		this.hidden.textContent = say("related.hidden", { count });
		setAttr(this.hidden, "aria-pressed", String(this.showsHidden));
	}

	private toggleFollow(): void {
		this.options.host.storage.write(FOLLOW_KEY, !this.followsSection);
		this.markFollow();
		void this.update();
	}

	private markFollow(): void {
		setAttr(this.follow, "aria-pressed", String(this.followsSection));
	}
}
