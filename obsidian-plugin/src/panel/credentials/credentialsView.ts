import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { Credential, CredentialsReply, Unanswered } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { fill, h, setAttr } from "../shared/dom";
import { nameOf } from "../shared/format";
import { errorNotice, notOffered } from "../shared/notice";
import { Speaker } from "../shared/speaker";
import { trouble } from "../shared/trouble";
import { decidedList, filterChips, findingRow, noteCard, reportHead, stateNotice, type Standing } from "./credentialParts";
import { RedactedLines } from "./redactedLines";
import { byNote, isSame, narrowed, type Chosen } from "./worklist";

export interface CredentialsViewOptions {
	client: () => Client;
	host: Host;
	/** Is it in the vault that is open? Left out: all that the token sees are shown. */
	isMine?: (found: Credential) => boolean;
}

const KEYS: Record<string, Standing> = { a: "allowed", e: "everywhere", d: "done" };
const NO_FILTER: Chosen = { rule: null, folder: null };

/** Where credentials sit in the notes (path, line and kind; never the credential), to be worked through one by one. */
export class CredentialsView {
	readonly element = h("div", { class: "sj-pane sj-credentials", on: { keydown: (event) => this.pressed(event) } });
	private readonly body = h("div");
	private readonly speaker = new Speaker();
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
	/** What was decided since the view was made, the latest last. */
	private readonly undoable: Credential[] = [];

	constructor(private readonly options: CredentialsViewOptions) {
		this.lines = new RedactedLines(options.client);
		this.element.append(this.body, this.speaker.element);
	}

	/** Ask for the report anew. Never rejects. */
	async load(): Promise<void> {
		const asked = (this.asked += 1);
		try {
			const reply = await this.options.client().credentials();
			if (asked !== this.asked) return;
			if (reply === null) return fill(this.body, notOffered("shield", "missing.credentials"));
			this.take(reply);
			this.draw();
		} catch (error) {
			if (asked === this.asked) fill(this.body, errorNotice(asApiError(error), { label: say("do.retry"), act: () => void this.load() }));
		}
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
		this.current = this.shown().find((each) => this.current !== null && isSame(each, this.current)) ?? this.shown()[0] ?? null;
	}

	private shown(): Credential[] {
		return narrowed(this.open, this.chosen);
	}

	private draw(): void {
		const { host } = this.options;
		const { open, decided, elsewhere, unanswered, mayDecide, chosen } = this;
		const state = { open, decided, elsewhere, unanswered, mayDecide };
		const decide = mayDecide ? (each: Credential, standing: Standing): void => void this.decide(each, standing) : null;
		const row = (each: Credential): HTMLElement => findingRow(each, this.isCurrent(each), { go: () => this.go(each), mark: () => this.mark(each), decide });
		const { activeElement } = this.element.ownerDocument;
		const focused = this.body.contains(activeElement) ? activeElement?.getAttribute("data-chip") : null;
		const choose = (next: Chosen): void => {
			this.chosen = next;
			this.current = this.shown()[0] ?? null;
			this.draw();
		};
		const list = [reportHead(state, host), ...filterChips(open, chosen, choose), ...byNote(this.shown()).map((note) => noteCard(note, row))];
		fill(this.body, ...stateNotice(state), ...(open.length === 0 ? [] : list), decidedList(decided, decide));
		if (focused) this.body.querySelector<HTMLElement>(`[data-chip="${CSS.escape(focused)}"]`)?.focus();
		this.showLines();
	}

	/** Tell the daemon, and take the finding, and those with the same value, from one list to the other. */
	private async decide(each: Credential, standing: Standing): Promise<void> {
		const { profile, vault, path, line, column } = each;
		const shown = this.shown();
		const at = shown.findIndex((other) => isSame(other, each));
		this.current = standing === "open" ? each : (shown[at + 1] ?? shown[at - 1] ?? null);
		try {
			await this.options.client().decide({ profile, vault, path, line, column, standing });
			if (standing !== "open") this.undoable.push(each);
		} catch (error) {
			this.current = each;
			this.options.host.notify(trouble(error));
			return this.load().then(() => this.focus());
		}
		await this.load();
		this.focus();
		this.speaker.now(say(`credentials.said.${standing}`, { left: say("credentials.left", { count: this.open.length }) }));
	}

	private undo(): void {
		const last = this.undoable.pop();
		if (last) void this.decide(last, "open");
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
		event.preventDefault();
		if (key === "u") return this.mayDecide ? this.undo() : undefined;
		if (this.current === null) return;
		if (standing !== undefined) return void (this.mayDecide && this.decide(this.current, standing));
		const shown = this.shown();
		const next = shown[shown.indexOf(this.current) + (step ?? 0)];
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
			const isCurrent = shown[index] === each;
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
