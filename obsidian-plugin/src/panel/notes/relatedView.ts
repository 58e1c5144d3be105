import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import { LINKED, type OfferedNote } from "../../api/words";
import type { Host, OpenIn } from "../host";
import type { CardContext } from "../results/card";
import { ResultPane } from "../results/resultPane";
import { placeOfRow, type Row } from "../results/rows";
import { actionOf, placeOfClick, type Action } from "../search/keys";
import { fill, h, setAttr } from "../shared/dom";
import { emptyNotice, errorNotice, helpFor, notOffered } from "../shared/notice";

export interface ActiveNote {
	vault: string;
	path: string;
	title: string;
	/** 1-based line of the cursor. */
	line?: number;
}

export interface RelatedViewOptions {
	client: () => Client;
	host: Host;
	active: () => ActiveNote | null;
	context: () => Omit<CardContext, "actions">;
}

const FOLLOW_KEY = "related-follows-section";

/** Related notes in groups: those that a link may be missing to, those with a link, the rest. */
export function relatedRows(notes: readonly OfferedNote[]): Row[] {
	const row = (note: OfferedNote): Row => ({ kind: "note", key: `${note.vault}\n${note.path}`, note });
	const group = (label: string, members: readonly OfferedNote[]): Row[] => (members.length === 0 ? [] : [{ kind: "section", key: label, label }, ...members.map(row)]);
	const isLinked = (note: OfferedNote): boolean => (note.reasons ?? []).some((reason) => LINKED.includes(reason));
	return [
		...group("Could be linked", notes.filter((note) => note.unlinked)),
		...group("Linked", notes.filter((note) => !note.unlinked && isLinked(note))),
		...group("Near in subject", notes.filter((note) => !note.unlinked && !isLinked(note))),
	];
}

/** Notes related to the active one, by meaning and by links. */
export class RelatedView {
	readonly element: HTMLElement;
	private readonly title = h("h2", { text: "Related notes" });
	private readonly message = h("div", { class: "sj-message" });
	private readonly pane: ResultPane;
	private readonly follow: HTMLButtonElement;
	private asked = 0;
	private shown: string | null = null;

	constructor(private readonly options: RelatedViewOptions) {
		const { host, context } = options;
		this.pane = new ResultPane({
			label: "Related notes",
			host,
			context: () => ({ ...context(), actions: { unfold: () => undefined, explain: () => undefined, graph: () => undefined } }),
			onOpen: (row, event) => this.open(row, placeOfClick(event, host.isMac)),
			onSelect: () => undefined,
			onKey: (event) => this.pressed(event),
		});
		this.follow = h("button", { class: "sj-chip", text: "Follow the section", on: { click: () => this.toggleFollow() } });
		this.element = h("div", { class: "sj-search sj-related" }, h("div", { class: "sj-related-head" }, this.title, this.follow), this.message, this.pane.element);
		this.markFollow();
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
		const asked = (this.asked += 1);
		if (!active) return this.draw("Related notes", [], emptyNotice("note", "No note is open", "Open a note to see what belongs to it."));
		try {
			const notes = await this.options.client().related(active.vault, active.path, line);
			if (asked !== this.asked) return;
			const none = notes === null ? notOffered("note", "related notes") : emptyNotice("note", "Nothing related", "No other indexed note comes near this one.");
			this.draw(active.title, relatedRows(notes ?? []), none);
		} catch (error) {
			if (asked !== this.asked) return;
			const known = asApiError(error);
			if (known.isNoSuchNote) return this.draw(active.title, [], emptyNotice("note", "This note is not indexed", "It is new, or its folder may not be read: see the profile's folders in the status."));
			this.draw(active.title, [], errorNotice(known, helpFor(known, this.options.host, () => void this.update(true))));
		}
	}

	dispose(): void {
		this.asked += 1;
		this.pane.dispose();
	}

	private draw(title: string, rows: Row[], instead: HTMLElement): void {
		this.title.textContent = title;
		fill(this.message, rows.length === 0 && instead);
		this.pane.set(rows, true);
	}

	private open(row: Row | null, where: OpenIn): void {
		const place = row && placeOfRow(row);
		if (place) this.options.host.open(place, where);
	}

	private pressed(event: KeyboardEvent): void {
		const { host } = this.options;
		const { pane } = this;
		const place = pane.current && placeOfRow(pane.current);
		const steps: Partial<Record<Action, () => void>> = {
			next: () => pane.move(1),
			previous: () => pane.move(-1),
			"page-down": () => pane.movePage(1),
			"page-up": () => pane.movePage(-1),
			open: () => this.open(pane.current, "here"),
			"open-tab": () => this.open(pane.current, "tab"),
			"open-split": () => this.open(pane.current, "split"),
			"insert-link": () => place && host.insertLink?.(place),
		};
		const action = actionOf(event, host.isMac);
		const step = action && steps[action];
		if (!step) return;
		event.preventDefault();
		step();
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
