import type { Client } from "../../api/client";
import type { Credential, CredentialsReply, Unanswered } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { fill } from "../shared/dom";
import { nameOf } from "../shared/format";
import { button, notOffered } from "../shared/notice";
import { trouble } from "../shared/trouble";
import { whatIsMissing } from "../status/missing";
import { WorkList } from "../shared/workList";
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
import { byNote, isSame, narrowed, noteKey, type Chosen } from "./worklist";
import { Newest } from "../shared/newest";

export interface CredentialsViewOptions {
	client: () => Client;
	host: Host;
	/** Is it in the vault that is open? Left out: all that the token sees are shown. */
	isMine?: (found: Credential) => boolean;
}

const KEYS: Record<string, Standing> = { a: "allowed", d: "done", n: "done" };
/** Between looks at whether other notes have been read again. */
const READING_MS = 1_000;
const NO_FILTER: Chosen = { kind: null, folder: null };
/** Of thousands of findings, so many have a row. */
const MOST_DRAWN = 100;

/** Where credentials sit in the notes (path, line and kind; never the credential), to be worked through one by one. */
export class CredentialsView extends WorkList<Credential> {
	private readonly lines: RedactedLines;
	private open: Credential[] = [];
	private decided: Credential[] = [];
	private chosen: Chosen = NO_FILTER;
	private mayDecide = false;
	/** How many there are that are not shown here. */
	private elsewhere = 0;
	/** Profiles that are not open: nothing is known of their credentials. */
	private unanswered: readonly Unanswered[] = [];
	/** What has not been read yet, where nothing is open. */
	private missing: readonly string[] = [];
	private readonly requests = new Newest();
	/** The newest request for the report. */
	private loading: Promise<void> = Promise.resolve();
	private readonly followed = new Newest();
	/** What was decided at once since the view was made, the latest last. */
	private undoable: (readonly Credential[])[] = [];
	private isAllDecidedShown = false;
	/** Of which finding it is asked whether to allow its value everywhere. */
	private asked: Credential | null = null;
	/** Told to the daemon one after the other, in the order of the keys. */
	private deciding: Promise<void> = Promise.resolve();

	constructor(private readonly options: CredentialsViewOptions) {
		super("sj-credentials", "sj-finding-row");
		this.lines = new RedactedLines(options.client);
	}

	/** Ask for the report anew; resolves once the newest one that was asked for is shown. Never rejects. */
	load(): Promise<void> {
		this.loading = this.ask();
		return this.loading;
	}

	override dispose(): void {
		super.dispose();
		this.requests.begin();
		this.followed.begin();
		this.lines.show(null);
	}

	private async ask(): Promise<void> {
		const isNewest = this.requests.begin();
		try {
			const client = this.options.client();
			const reply = await report(client);
			const missing = reply?.credentials.length === 0 ? await whatIsMissing(client) : [];
			await this.press.released();
			if (!isNewest()) return await this.loading;
			if (reply === null) return this.replaceBy(notOffered("shield", "missing.credentials"));
			this.missing = missing;
			this.take(reply);
			// Drawn anew without need, it would take the button away from whoever is about to press it.
			if (this.state() !== this.drawn) this.draw();
			else if (this.current !== null) this.mark(this.current);
		} catch (error) {
			if (!isNewest()) return await this.loading;
			this.fail(error);
		}
	}

	protected override state(): string {
		const { open, decided, elsewhere, unanswered, missing, mayDecide, chosen, asked } = this;
		return JSON.stringify({ open, decided, elsewhere, unanswered, missing, mayDecide, chosen, asked });
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
		this.current = this.remaining();
		if (this.asked && !this.isShown(this.asked)) this.asked = null;
	}

	protected override shown(): Credential[] {
		return narrowed(this.open, this.chosen);
	}

	protected override drawnItems(): Credential[] {
		const shown = this.shown();
		return shown.slice(this.first(shown)).slice(0, MOST_DRAWN);
	}

	/** The place of the first that has a row. */
	private first(shown: readonly Credential[]): number {
		const at = Math.max(
			0,
			shown.findIndex((each) => this.isCurrent(each)),
		);
		return at - (at % MOST_DRAWN);
	}

	/** A button for the findings before those that have a row, or behind them; it leads to the one at the edge. */
	private moreButton(count: number, edge: Credential | undefined): HTMLElement | null {
		if (count <= 0 || !edge) return null;
		const act = (): void => {
			this.mark(edge);
			this.focus();
		};
		return button({ label: say("notice.others", { count }), act });
	}

	private draw(): void {
		const { host } = this.options;
		const { open, decided, elsewhere, unanswered, missing, mayDecide, chosen } = this;
		const state = { open, decided, elsewhere, unanswered, missing, mayDecide };
		const decide = mayDecide
			? (found: readonly Credential[], standing: Standing): void => this.decide(found, standing)
			: null;
		const row = (each: Credential): HTMLElement =>
			findingRow(each, this.isCurrent(each), {
				go: () => this.go(each),
				mark: () => this.press.after(() => this.mark(each)),
				decide,
				asked: this.asked !== null && isSame(each, this.asked),
				ask: (isAsked) => this.askAbout(isAsked ? each : null),
			});
		const choose = (next: Chosen): void => {
			this.chosen = next;
			this.current = this.shown()[0] ?? null;
			this.draw();
		};
		const shown = this.shown();
		const first = this.first(shown);
		const drawn = this.drawnItems();
		const behind = first + drawn.length;
		const wholeNotes = new Map(byNote(shown).map((note) => [noteKey(note), note.found]));
		const list = [
			reportHead(state, host),
			...filterChips(open, chosen, choose),
			this.moreButton(first, shown[first - 1]),
			...byNote(drawn).map((note) => noteCard(note, wholeNotes.get(noteKey(note)) ?? [], row, decide)),
			this.moreButton(shown.length - behind, shown[behind]),
		];
		const showAllDecided = (): void => {
			this.isAllDecidedShown = true;
			this.draw();
		};
		const shownDecided = this.isAllDecidedShown ? decided.length : MOST_DRAWN;
		const isUnfolded = this.body.querySelector("details")?.open ?? false;
		this.redraw(() => {
			fill(
				this.body,
				...stateNotice(state),
				...(open.length === 0 ? [] : list),
				decidedList(decided, shownDecided, isUnfolded, decide, showAllDecided),
			);
			this.showLines();
		});
	}

	/** Ask whether to allow the value of this finding everywhere; null: ask no more. The focus goes to the answer, and back. */
	private askAbout(each: Credential | null): void {
		this.asked = each;
		if (each) this.current = each;
		this.draw();
		if (each) this.currentRow?.querySelector<HTMLElement>(".sj-asked button")?.focus();
		else this.focus();
	}

	/** Take the findings, and those with the same values, from one list to the other. */
	private decide(found: readonly Credential[], standing: Standing): void {
		this.asked = null;
		const [first, last] = [found[0], found.at(-1)];
		if (first && last) this.current = standing === "open" ? first : this.beside(last);
		this.deciding = this.deciding.then(() => this.tell(found, standing));
	}

	private async tell(found: readonly Credential[], standing: Standing): Promise<void> {
		const told: Credential[] = [];
		try {
			for (const each of found) {
				const { profile, vault, path, line, column } = each;
				await this.options
					.client()
					.ask("POST /v1/credentials", { profile, vault, path, line, column, standing });
				told.push({ ...each, standing });
			}
			if (standing === "open") this.current = found[0] ?? null; // a report without it may have come meanwhile
		} catch (error) {
			this.current = found[told.length] ?? null;
			this.options.host.notify(trouble(error));
			return this.load().then(() => this.focus());
		} finally {
			const undoable = standing === "open" ? found.slice(told.length) : told;
			if (undoable.length > 0) this.undoable.push(undoable);
		}
		await this.load();
		this.focus();
		const said = say(`credentials.said.${standing}`, { left: this.left() });
		// A single key lets a value into the index: what takes it back is in sight, however little one knows of keys.
		if (standing === "allowed")
			this.options.host.notify(said, { label: say("do.undo"), act: () => this.undo(told) });
		else this.speaker.now(said);
		const wide = found.find((each) => standing === "everywhere" || each.standing === "everywhere");
		if (wide) void this.follow(wide.profile);
	}

	private left(): string {
		return say("credentials.left", { count: this.open.length });
	}

	/** What has the same value in other notes is listed as it now stands once the daemon has read these again. */
	private async follow(profile: string): Promise<void> {
		const isNewest = this.followed.begin();
		const before = this.left();
		let isReading = true;
		while (isReading && isNewest() && this.element.isConnected) {
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

	/** Take back the last decision, all of them, or this one, though its reply may be on its way still. */
	private undo(which: "last" | "all" | readonly Credential[]): void {
		this.deciding = this.deciding.then(() => {
			const isTaken = (each: readonly Credential[], place: number): boolean =>
				which === "all" || each === which || (which === "last" && place === this.undoable.length - 1);
			const taken = this.undoable.filter(isTaken);
			this.undoable = this.undoable.filter((each) => !taken.includes(each));
			return taken.length === 0 ? undefined : this.tell(taken.reverse().flat(), "open");
		});
	}

	private go(each: Credential): void {
		const { profile, vault, path, line } = each;
		const headings = this.isCurrent(each) ? this.lines.headings : [];
		this.options.host.open({ profile, vault, path, title: nameOf(path), line, headings }, "here");
	}

	protected override used(key: string, isShifted: boolean): boolean {
		const standing = KEYS[key];
		if (key === "escape" && this.asked) return (this.askAbout(null), true);
		if (standing === undefined && key !== "u" && key !== "e") return false;
		const { current } = this;
		if (!this.mayDecide) return true;
		if (key === "u") this.undo(isShifted ? "all" : "last");
		else if (current === null) return true;
		else if (standing === undefined) this.askAbout(current);
		else this.decide(key === "n" ? this.noteOf(current) : [current], standing);
		return true;
	}

	/** What is shown of the finding's note. */
	private noteOf(each: Credential): readonly Credential[] {
		return byNote(this.shown()).find(({ found }) => found.some((other) => isSame(other, each)))?.found ?? [];
	}

	private isShown(each: Credential): boolean {
		return this.shown().some((other) => isSame(other, each));
	}

	protected override isSame(a: Credential, b: Credential): boolean {
		return isSame(a, b);
	}

	protected override mark(each: Credential): void {
		const isDrawn = this.drawnItems().some((other) => isSame(other, each));
		this.current = each;
		if (!isDrawn) return this.draw();
		this.showCurrent();
		this.showLines();
	}

	private showLines(): void {
		this.currentRow?.append(this.lines.element);
		this.lines.show(this.current);
	}
}

/** All pages of the report as one; null where the daemon offers none. */
async function report(client: Client): Promise<CredentialsReply | null> {
	const first = await client.askIfOffered("GET /v1/credentials");
	if (first === null) return null;
	const pages = [first];
	for (let next = first.next_offset; typeof next === "number";) {
		const page = await client.ask("GET /v1/credentials", { offset: next });
		pages.push(page);
		next = page.next_offset;
	}
	return {
		...first,
		credentials: pages.flatMap(({ credentials }) => credentials),
		decided: pages.flatMap(({ decided }) => decided),
	};
}
