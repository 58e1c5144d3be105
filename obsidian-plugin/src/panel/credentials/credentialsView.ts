import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { Credential, CredentialsReply, Unanswered } from "../../api/wire";
import type { Host } from "../host";
import { fill, h, setAttr } from "../shared/dom";
import { count, folderOf, nameOf } from "../shared/format";
import { icon } from "../shared/icons";
import { button, emptyNotice, errorNotice, notOffered } from "../shared/notice";
import { byNote, folders, isSame, kinds, narrowed, type Chosen, type CredentialNote } from "./worklist";

export interface CredentialsViewOptions {
	client: () => Client;
	host: Host;
	/** Is it in the vault that is open? Left out: all that the token sees are shown. */
	isMine?: (found: Credential) => boolean;
}

type Standing = Credential["standing"];

const STANDINGS: Record<Standing, string> = { open: "", done: "done", allowed: "allowed in this note", everywhere: "allowed in all notes" };
const DECIDING = "Done: you have seen to it; it stays hidden. Allow: it is no secret; it stands in that note. Keys: ↓ ↑ next and previous, Enter opens, A allows, D is done.";
const ASKING = "To work through them, open the search page with `scrubjay open`, or see `scrubjay credentials --help`.";
const KEYS: Record<string, Standing> = { a: "allowed", d: "done" };

/** Where credentials sit in the notes (path, line and kind; never the credential), to be worked through one by one. */
export class CredentialsView {
	readonly element = h("div", { class: "sj-pane sj-credentials", on: { keydown: (event) => this.pressed(event) } });
	private open: Credential[] = [];
	private decided: Credential[] = [];
	private chosen: Chosen = { rule: null, folder: null };
	private current: Credential | null = null;
	private mayDecide = false;
	/** How many there are that are not shown here. */
	private elsewhere = 0;
	/** Profiles that are not open: nothing is known of their credentials. */
	private unanswered: readonly Unanswered[] = [];
	private asked = 0;

	constructor(private readonly options: CredentialsViewOptions) {}

	/** Ask for the report anew. Never rejects. */
	async load(): Promise<void> {
		const asked = (this.asked += 1);
		try {
			const reply = await this.options.client().credentials();
			if (asked !== this.asked) return;
			if (reply === null) return fill(this.element, notOffered("shield", "the credential report"));
			this.take(reply);
			this.draw();
		} catch (error) {
			if (asked === this.asked) fill(this.element, errorNotice(asApiError(error), { label: "Try again", act: () => void this.load() }));
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
		if (this.shown().length === 0) this.chosen = { rule: null, folder: null };
		this.current = this.shown().find((each) => this.current !== null && isSame(each, this.current)) ?? this.shown()[0] ?? null;
	}

	private shown(): Credential[] {
		return narrowed(this.open, this.chosen);
	}

	private draw(): void {
		const notes = byNote(this.shown());
		const closed = this.unanswered.map(({ profile, reason }) => h("p", { class: "sj-card-state", text: `${profile} did not answer, so its credentials are not known. ${reason}` }));
		const none = closed.length > 0 ? emptyNotice("shield", "Not all is known", "What is open holds no credential that waits for you.") : this.elsewhere > 0 ? emptyNotice("shield", "None in this vault", `${count(this.elsewhere, "credential")} in other vaults: the search page shows them.`) : emptyNotice("shield", "No credentials found", this.decided.length > 0 ? "You have seen to all that was found." : "No indexed note holds anything that looks like a password, key or token.");
		fill(this.element, ...closed, ...(this.open.length === 0 ? [none] : [this.head(), ...this.filters(), ...notes.map((note) => this.card(note))]), this.decidedList());
	}

	private head(): HTMLElement {
		const words = `${count(this.open.length, "credential")} in ${count(byNote(this.open).length, "note")}`;
		return h(
			"div",
			{},
			h("div", { class: "sj-pane-head" }, icon("shield", "sj-icon sj-warn"), h("h2", { text: words, attrs: { "aria-live": "polite" } })),
			h("p", { class: "sj-muted", text: "Each was taken out before indexing and is stored nowhere. Your files still hold them: move them to a password manager, and replace any that were shared." }),
			h("p", { class: "sj-muted", text: this.mayDecide ? DECIDING : ASKING }),
		);
	}

	private filters(): HTMLElement[] {
		const all = kinds(narrowed(this.open, { ...this.chosen, rule: null }));
		const rules = all.map(({ rule, about, count: found }) => this.chip(`${about} ${found}`, this.chosen.rule === rule, { ...this.chosen, rule: this.chosen.rule === rule ? null : rule }));
		const places = folders(this.open).map((folder) => this.chip(folder, this.chosen.folder === folder, { ...this.chosen, folder: this.chosen.folder === folder ? null : folder }));
		const group = (label: string, chips: HTMLElement[]): HTMLElement[] => (chips.length > 1 ? [h("div", { class: "sj-chips", attrs: { role: "group", "aria-label": label } }, ...chips)] : []);
		return [...group("Kinds", rules), ...group("Folders", places)];
	}

	private chip(text: string, isPressed: boolean, next: Chosen): HTMLElement {
		const choose = (): void => {
			this.chosen = next;
			this.current = this.shown()[0] ?? null;
			this.draw();
		};
		return h("button", { class: "sj-chip", text, attrs: { "aria-pressed": String(isPressed) }, on: { click: choose } });
	}

	private card(note: CredentialNote): HTMLElement {
		const { profile, vault, path, found } = note;
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": nameOf(path) } },
			h("div", { class: "sj-card-head" }, h("h3", { text: nameOf(path) }), h("span", { class: "sj-muted", text: [...new Set([profile, vault, folderOf(path)])].filter((part) => part !== "").join(" › ") })),
			h("ul", { class: "sj-findings" }, ...found.map((each) => this.finding(each))),
		);
	}

	private finding(each: Credential): HTMLElement {
		const isCurrent = this.current !== null && isSame(each, this.current);
		const place = h(
			"button",
			{ class: "sj-finding", attrs: { "aria-current": isCurrent ? "true" : undefined, tabindex: isCurrent ? 0 : -1 }, on: { click: () => this.go(each), focus: () => this.mark(each) } },
			h("span", { class: "sj-line-number", text: `line ${each.line}` }),
			h("span", { text: each.about }),
		);
		return h("li", { class: "sj-finding-row" }, place, this.decision("Done", each, "done"), this.decision("Allow", each, "allowed"), this.decision("Allow everywhere", each, "everywhere"));
	}

	private decision(label: string, each: Credential, standing: Standing): HTMLElement | null {
		if (!this.mayDecide) return null;
		const element = button({ label, act: () => void this.decide(each, standing) });
		setAttr(element, "aria-label", `${label}: line ${each.line}, ${each.about}`);
		return element;
	}

	private decidedList(): HTMLElement | null {
		if (this.decided.length === 0) return null;
		const rows = this.decided.map((each) => {
			const words = `${each.path}, line ${each.line}: ${each.about}, ${STANDINGS[each.standing]}`;
			return h("li", { class: "sj-finding-row" }, h("span", { class: "sj-path", text: words }), this.decision("Undo", each, "open"));
		});
		return h("details", { class: "sj-failures" }, h("summary", { text: `${this.decided.length} allowed or done` }), h("ul", {}, ...rows));
	}

	/** Tell the daemon, and take the finding, and those with the same value, from one list to the other. */
	private async decide(each: Credential, standing: Standing): Promise<void> {
		const { profile, vault, path, line, column } = each;
		const shown = this.shown();
		const at = shown.findIndex((other) => isSame(other, each));
		this.current = shown[at + 1] ?? shown[at - 1] ?? null;
		try {
			await this.options.client().decide({ profile, vault, path, line, column, standing });
		} catch (error) {
			this.current = each;
			this.options.host.notify(asApiError(error).message);
		}
		await this.load();
		this.focus();
	}

	private go({ profile, vault, path, line }: Credential): void {
		this.options.host.open({ profile, vault, path, title: nameOf(path), line }, "here");
	}

	private pressed(event: KeyboardEvent): void {
		if (this.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
		const standing = KEYS[event.key.toLowerCase()];
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (standing === undefined && step === undefined) return;
		event.preventDefault();
		if (standing !== undefined) return void (this.mayDecide && this.decide(this.current, standing));
		const shown = this.shown();
		const next = shown[shown.indexOf(this.current) + (step ?? 0)];
		if (next !== undefined) this.mark(next);
		this.focus();
	}

	/** Make a finding the one that keys are about. */
	private mark(each: Credential): void {
		this.current = each;
		const shown = this.shown();
		for (const [index, element] of this.element.querySelectorAll<HTMLElement>(".sj-finding").entries()) {
			const isCurrent = shown[index] === each;
			setAttr(element, "aria-current", isCurrent ? "true" : undefined);
			setAttr(element, "tabindex", isCurrent ? 0 : -1);
		}
	}

	private focus(): void {
		this.element.querySelector<HTMLElement>('.sj-finding[aria-current="true"]')?.focus();
	}
}
