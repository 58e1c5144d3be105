import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { Credential, CredentialsReply, Unanswered } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { fill, h, isMeant, keepFocus, setAttr } from "../shared/dom";
import { nameOf } from "../shared/format";
import { Press } from "../shared/press";
import { errorNotice, notOffered, replaceByNotice } from "../shared/notice";
import { Speaker } from "../shared/speaker";
import { trouble } from "../shared/trouble";
import {
	decidedList,
	filterChips,
	findingRow,
	noteCard,
	reportHead,
	stateNotice,
	type Standing,
} from "./credentialParts";
import { RedactedLines } from "./redactedLines";
import { byNote, isSame, narrowed, type Chosen } from "./worklist";

export interface CredentialsViewOptions {
	client: () => Client;
	host: Host;
	/** Is it in the vault that is open? Left out: all that the token sees are shown. */
	isMine?: (found: Credential) => boolean;
}

const KEYS: Record<string, Standing> = { a: "allowed", e: "everywhere", d: "done" };
/** Between looks at whether other notes have been read again. */
const READING_MS = 1_000;
const NO_FILTER: Chosen = { rule: null, folder: null };

/** Where credentials sit in the notes (path, line and kind; never the credential), to be worked through one by one. */
export class CredentialsView {
	readonly element = h("div", { class: "sj-pane sj-credentials", on: { keydown: (event) => this.pressed(event) } });
	private readonly body = h("div");
	private readonly speaker = new Speaker();
	private readonly press = new Press(this.body);
	private readonly lines: RedactedLines;
	private open: Credential[] = [];
	private decided: Credential[] = [];
	private chosen: Chosen = NO_FILTER;
	private current: Credential | null = null;
	private mayDecide = false;
	/** How many there are that are not shown here. */
	private elsewhere = 0;
	/** Profiles that are not open: nothing is known of their credentials. */
	private unanswered: readonly Unanswered[] = [];
	private asked = 0;
	/** The newest request for the report. */
	private loading: Promise<void> = Promise.resolve();
	/** What is shown, as one string; "" where the report is not. */
	private drawn = "";
	private followed = 0;
	/** What was decided since the view was made, the latest last. */
	private readonly undoable: Credential[] = [];
	/** Told to the daemon one after the other, in the order of the keys. */
	private deciding: Promise<void> = Promise.resolve();

	constructor(private readonly options: CredentialsViewOptions) {
		this.lines = new RedactedLines(options.client);
		this.element.append(this.body, this.speaker.element);
	}

	/** Ask for the report anew; resolves once the newest one that was asked for is shown. Never rejects. */
	load(): Promise<void> {
		this.loading = this.ask();
		return this.loading;
	}

	private async ask(): Promise<void> {
		const asked = (this.asked += 1);
		try {
			const reply = await this.options.client().askIfOffered("GET /v1/credentials");
			await this.press.released();
			if (asked !== this.asked) return await this.loading;
			if (reply === null) return this.replaceBy(notOffered("shield", "missing.credentials"));
			this.take(reply);
			// Drawn anew without need, it would take the button away from whoever is about to press it.
			if (this.state() !== this.drawn) this.draw();
			else if (this.current !== null) this.mark(this.current);
		} catch (error) {
			if (asked !== this.asked) return await this.loading;
			this.replaceBy(errorNotice(asApiError(error), { label: say("do.retry"), act: () => void this.load() }));
		}
	}

	private replaceBy(notice: HTMLElement): void {
		this.drawn = "";
		replaceByNotice(this.body, notice);
	}

	private state(): string {
		const { open, decided, elsewhere, unanswered, mayDecide, chosen } = this;
		return JSON.stringify({ open, decided, elsewhere, unanswered, mayDecide, chosen });
	}

	private take({ credentials, decided, may_decide: mayDecide, unanswered = [] }: CredentialsReply): void {
		this.unanswered = unanswered;
		const { isMine = () => true } = this.options;
		const mine = (found: Credential[]): Credential[] => byNote(found.filter(isMine)).flatMap((note) => note.found);
		this.open = mine(credentials);
		this.elsewhere = credentials.length - this.open.length;
		this.decided = mine(decided);
		this.mayDecide = mayDecide;
		// A filter whose last finding is gone would leave an empty list behind.
		if (this.shown().length === 0) this.chosen = NO_FILTER;
		this.current =
			this.shown().find((each) => this.current !== null && isSame(each, this.current)) ?? this.shown()[0] ?? null;
	}

	private shown(): Credential[] {
		return narrowed(this.open, this.chosen);
	}

	private draw(): void {
		const { host } = this.options;
		const { open, decided, elsewhere, unanswered, mayDecide, chosen } = this;
		const state = { open, decided, elsewhere, unanswered, mayDecide };
		const decide = mayDecide ? (each: Credential, standing: Standing): void => this.decide(each, standing) : null;
		const row = (each: Credential): HTMLElement =>
			findingRow(each, this.isCurrent(each), {
				go: () => this.go(each),
				mark: () => this.press.after(() => this.mark(each)),
				decide,
			});
		const choose = (next: Chosen): void => {
			this.chosen = next;
			this.current = this.shown()[0] ?? null;
			this.draw();
		};
		const list = [
			reportHead(state, host),
			...filterChips(open, chosen, choose),
			...byNote(this.shown()).map((note) => noteCard(note, row)),
		];
		const isUnfolded = this.body.querySelector("details")?.open ?? false;
		const { current } = this;
		const isFocusLost = keepFocus(this.body, () => {
			fill(
				this.body,
				...stateNotice(state),
				...(open.length === 0 ? [] : list),
				decidedList(decided, isUnfolded, decide),
			);
			this.showLines();
		});
		this.drawn = this.state();
		if (current !== null) this.mark(current); // that a finding has the focus again does not choose it
		if (isFocusLost) this.focus();
	}

	/** Take the finding, and those with the same value, from one list to the other. */
	private decide(each: Credential, standing: Standing): void {
		const shown = this.shown();
		const at = shown.findIndex((other) => isSame(other, each));
		this.current = standing === "open" ? each : (shown[at + 1] ?? shown[at - 1] ?? null);
		this.deciding = this.deciding.then(() => this.tell(each, standing));
	}

	private async tell(each: Credential, standing: Standing): Promise<void> {
		const { profile, vault, path, line, column } = each;
		try {
			await this.options.client().ask("POST /v1/credentials", { profile, vault, path, line, column, standing });
			if (standing !== "open") this.undoable.push({ ...each, standing });
			else this.current = each; // a report without it may have come meanwhile
		} catch (error) {
			this.current = each;
			this.options.host.notify(trouble(error));
			return this.load().then(() => this.focus());
		}
		await this.load();
		this.focus();
		this.speaker.now(say(`credentials.said.${standing}`, { left: this.left() }));
		if (standing === "everywhere" || each.standing === "everywhere") void this.follow(profile);
	}

	private left(): string {
		return say("credentials.left", { count: this.open.length });
	}

	/** What has the same value in other notes is listed as it now stands once the daemon has read these again. */
	private async follow(profile: string): Promise<void> {
		const followed = (this.followed += 1);
		const before = this.left();
		let isReading = true;
		while (isReading && followed === this.followed && this.element.isConnected) {
			isReading = await this.isReadingNotes(profile);
			await this.load();
			if (isReading) await new Promise((resolve) => window.setTimeout(resolve, READING_MS));
		}
		if (this.left() !== before) this.speaker.now(this.left());
	}

	private async isReadingNotes(profile: string): Promise<boolean> {
		const status = await this.options
			.client()
			.ask("GET /v1/status")
			.catch(() => null);
		return (
			status?.profiles.some(
				({ name, state }) => name === profile && (state === "scanning" || state === "reading"),
			) ?? false
		);
	}

	/** Take the last decision back, though its reply may be on its way still. */
	private undo(): void {
		this.deciding = this.deciding.then(() => {
			const last = this.undoable.pop();
			return last && this.tell(last, "open");
		});
	}

	private go(each: Credential): void {
		const { profile, vault, path, line } = each;
		const headings = this.isCurrent(each) ? this.lines.headings : [];
		this.options.host.open({ profile, vault, path, title: nameOf(path), line, headings }, "here");
	}

	private pressed(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
		const key = event.key.toLowerCase();
		const standing = KEYS[key];
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (standing === undefined && step === undefined && key !== "u") return;
		if (step === undefined && !isMeant(event, key === "u" ? this.element : this.place?.closest("li"))) return;
		event.preventDefault();
		if (key === "u") return this.mayDecide ? this.undo() : undefined;
		if (this.current === null) return;
		if (standing !== undefined) return this.mayDecide ? this.decide(this.current, standing) : undefined;
		const shown = this.shown();
		const next = shown[shown.findIndex((each) => this.isCurrent(each)) + (step ?? 0)];
		if (next !== undefined) this.mark(next);
		this.focus();
	}

	private isCurrent(each: Credential): boolean {
		return this.current !== null && isSame(each, this.current);
	}

	/** Make a finding the one that keys are about. */
	private mark(each: Credential): void {
		this.current = each;
		const shown = this.shown();
		for (const [index, element] of this.body.querySelectorAll<HTMLElement>(".sj-finding").entries()) {
			const other = shown[index];
			const isCurrent = other !== undefined && this.isCurrent(other);
			setAttr(element, "aria-current", isCurrent ? "true" : undefined);
			setAttr(element, "tabindex", isCurrent ? 0 : -1);
		}
		this.showLines();
	}

	private get place(): HTMLElement | null {
		return this.body.querySelector<HTMLElement>('.sj-finding[aria-current="true"]');
	}

	private showLines(): void {
		this.place?.closest("li")?.append(this.lines.element);
		this.lines.show(this.current);
	}

	/** To the finding that keys are about, or to the words that none is left. */
	private focus(): void {
		(this.place ?? this.body.querySelector<HTMLElement>(".sj-notice"))?.focus();
	}
}
