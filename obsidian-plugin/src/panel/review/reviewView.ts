import type { Client } from "../../api/client";
import type { PreviewReply, Proposal } from "../../api/wire";
import { say } from "../../words/say";
import type { Applied, Host } from "../host";
import { fill, h, setAttr } from "../shared/dom";
import { nameOf } from "../shared/format";
import { emptyNotice, notOffered } from "../shared/notice";
import { trouble } from "../shared/trouble";
import { whatIsMissing } from "../status/missing";
import { WorkList } from "../shared/workList";
import { diffLines } from "./diffLines";
import { isSame, proposedOptions, waitingOf, type Answer, type Chosen, type Queue } from "./queue";
import {
	aboutProposal,
	filterChips,
	proposalRow,
	reviewHead,
	stateNotice,
	type AcceptedPart,
	type RowActs,
} from "./reviewParts";
import { Newest } from "../shared/newest";

export interface ReviewViewOptions {
	client: () => Client;
	host: Host;
	/** The vault whose notes it is about; left out: all that the token sees. */
	vault?: () => string;
	/** What was accepted, where yes does not write at once. */
	accepted?: AcceptedPart;
}

const KEYS: Record<string, Answer> = { y: "yes", n: "no", l: "later" };
const NO_FILTER: Chosen = { kind: null, folder: null };
/** While the choice runs down the list, what the changes on the way would be is not asked. */
const SETTLE_MS = 150;
const MOST_SHOWN = 20;
/** As long as notes are still being looked at. */
const LOOK_AGAIN_MS = 1_000;

interface Answered {
	proposal: Proposal;
	applied: Applied | null;
}

/** Small decisions that tidy a vault, to be answered one by one down to none. */
export class ReviewView extends WorkList<Proposal> {
	private queue: Queue | null = null;
	private chosen: Chosen = NO_FILTER;
	private ticked: ReadonlySet<string> = new Set();
	/** What yes would change of the current proposal with what is ticked; null until it is there. */
	private preview: PreviewReply | null = null;
	private readonly asked = new Newest();
	private isGone = false;
	private timer: number | undefined;
	private again: number | undefined;
	/** How much was begun and is not over: answers, and taking them back. */
	private begun = 0;
	/** What was begun, one after the other. */
	private work: Promise<void> = Promise.resolve();
	/** What U takes back, the last of it first: answers, and runs of what was written. */
	private done: (Answered | string)[] = [];

	constructor(private readonly options: ReviewViewOptions) {
		super("sj-review", "sj-review-row");
		const { accepted } = options;
		if (accepted)
			accepted.onRun = (run, isWritten) => {
				if (isWritten) this.done.push(run);
				else this.done = this.done.filter((each) => each !== run);
				if (this.element.contains(this.element.ownerDocument.activeElement)) this.focus();
			};
	}

	/** Ask for the queue anew. Never rejects. */
	load(): Promise<void> {
		return this.ask(() => this.work);
	}

	override dispose(): void {
		super.dispose();
		this.asked.begin();
		this.isGone = true;
		window.clearTimeout(this.timer);
		window.clearTimeout(this.again);
	}

	/** idle: what is waited for before it is shown; a queue from before an answer would take the key that is pressed next. */
	private async ask(idle: () => Promise<void> = () => Promise.resolve()): Promise<void> {
		const isNewest = this.asked.begin();
		if (this.queue === null) {
			const looking = emptyNotice("sparkle", say("review.looking"), "");
			setAttr(looking, "tabindex", -1); // who came to work waits here, and goes on to the first row
			if (!this.body.querySelector(".sj-notice")) fill(this.body, looking);
		}
		const client = this.options.client();
		const vault = this.options.vault?.();
		try {
			const reply = await client.askIfOffered("GET /v1/review", { limit: MOST_SHOWN, ...this.chosen, vault });
			if (!isNewest()) return;
			if (reply === null) return this.replaceBy(notOffered("check", "missing.review"));
			const accepted = !this.options.accepted
				? 0
				: ((await client.askIfOffered("GET /v1/review", { answer: "yes", vault, limit: 1 }))?.total ?? 0);
			const missing = reply.proposals.length === 0 ? await whatIsMissing(client) : [];
			await this.press.released();
			await idle();
			if (!isNewest()) return;
			const { may_decide: mayDecide, ...rest } = reply;
			this.queue = { ...rest, missing, mayDecide, accepted };
			this.stand(this.remaining());
			// Drawn anew without need, it would take the button away from whoever is about to press it.
			if (this.state() !== this.drawn) this.draw();
			this.lookAgain();
		} catch (error) {
			if (isNewest()) this.fail(error);
		}
	}

	protected override state(): string {
		const { queue, chosen, current } = this;
		return JSON.stringify({ queue, chosen, current: current?.key });
	}

	/** More comes in while notes are still being looked at; nothing is asked where nobody sees it. */
	private lookAgain(): void {
		window.clearTimeout(this.again);
		if (!this.queue?.waiting || this.isGone) return;
		this.again = window.setTimeout(() => {
			if (this.element.isConnected && this.element.closest("[hidden]") === null && this.begun === 0)
				void this.load();
			else this.lookAgain();
		}, LOOK_AGAIN_MS);
	}

	private draw(): void {
		const { queue, chosen } = this;
		if (queue === null) return;
		const choose = (next: Chosen): void => {
			this.chosen = next;
			void this.load();
		};
		const rows = queue.proposals.map((each) => this.row(each));
		const list =
			rows.length > 0 && h("ul", { class: "sj-findings", attrs: { "aria-label": say("review.list") } }, ...rows);
		this.redraw(() =>
			fill(
				this.body,
				reviewHead(queue, this.options.host, this.options.accepted),
				queue.mayDecide && this.options.accepted?.element,
				...filterChips(queue, chosen, choose),
				...stateNotice(queue, chosen),
				list,
			),
		);
		this.options.accepted?.show(queue.accepted, queue.written);
		this.showPreview();
	}

	private row(proposal: Proposal): HTMLElement {
		return proposalRow(proposal, this.isCurrent(proposal), this.actsOn(proposal));
	}

	private actsOn(proposal: Proposal): RowActs {
		return {
			go: () =>
				this.isCurrent(proposal) ? this.open(proposal.path, proposal.line, proposal) : this.mark(proposal),
			mark: () => this.press.after(() => this.mark(proposal)),
			answer: this.queue?.mayDecide ? (said) => this.answer(said) : null,
			open: (path, line) => this.open(path, line, proposal),
			clear: this.queue?.mayDecide ? () => this.clear(proposal) : null,
			isTicked: (id) => this.ticked.has(id),
			tick: (id) => this.tick(id),
		};
	}

	/** Say this of the current proposal. Where Obsidian writes, yes writes what was shown, and is told when that is done. */
	private answer(said: Answer): void {
		const proposal = this.current;
		// Until it is over, what is shown is what was answered: a second key would be about that, too.
		if (this.begun > 0 || proposal === null || !this.queue?.mayDecide) return;
		if (said === "yes" && proposal.options.length > 0 && this.ticked.size === 0)
			return this.options.host.notify(say("review.takeOne"));
		this.begin(async () => {
			const applied = said === "yes" ? await this.write(proposal) : null;
			if (applied !== undefined) await this.tell(proposal, said, applied);
		});
	}

	private begin(act: () => Promise<void>): void {
		this.begun += 1;
		this.work = this.work
			.then(act)
			.catch((error: unknown) => this.options.host.notify(trouble(error)))
			.finally(() => (this.begun -= 1));
	}

	/** Write what was shown into the notes. null: there is nothing to write here; undefined: it could not be, or was not shown yet. */
	private async write(proposal: Proposal): Promise<Applied | null | undefined> {
		const { host } = this.options;
		if (!host.applyChanges || proposal.options.length === 0) return null;
		if (this.preview === null) {
			if (await this.loadPreview(proposal)) this.speaker.now(say("review.lookFirst"));
			return undefined;
		}
		const { changes, files, refused } = this.preview;
		if (refused !== "") {
			host.notify(say("review.refused", { reason: refused }));
			return undefined;
		}
		// What changes another vault, too, is written by the command, which knows where that is.
		if (changes.length === 0 || changes.some(({ vault }) => vault !== proposal.vault)) return null;
		if (
			await this.isExcluded(proposal, [...new Set(changes.flatMap(({ path, to }) => (to ? [path, to] : [path])))])
		)
			return undefined;
		const applied = await host.applyChanges({ changes, files }).catch(() => null);
		if (applied?.stays.length === 0) return applied;
		if (applied !== null) this.done.push({ proposal, applied }); // U takes back what stays
		host.notify(
			applied === null ? say("review.notWritten") : say("review.partly", { notes: applied.stays.join(", ") }),
		);
		return undefined;
	}

	private async tell(proposal: Proposal, said: Answer, applied: Applied | null): Promise<void> {
		const { host } = this.options;
		const next = said === "open" ? proposal : this.beside(proposal);
		const chosen = said === "yes" && proposal.options.length > 0 ? [...this.ticked] : null;
		try {
			await this.options
				.client()
				.ask("POST /v1/review", {
					profile: proposal.profile,
					key: proposal.key,
					answer: applied ? "done" : said,
					chosen,
				});
			if (said !== "open") this.done.push({ proposal, applied });
			this.stand(next);
		} catch (error) {
			host.notify(trouble(error));
		}
		await this.ask();
		this.focus();
		this.speaker.now(
			say(applied ? "review.said.written" : `review.said.${said === "done" ? "yes" : said}`, {
				left: say("review.count", { count: this.queue ? waitingOf(this.queue) : 0 }),
			}),
		);
	}

	/** Refuse all that the program of this proposal put forward. */
	private clear({ by, profile }: Proposal): void {
		if (this.begun > 0) return;
		this.begin(async () => {
			const { count } = await this.options.client().ask("POST /v1/review/clear", { by, profile });
			this.speaker.now(say("review.cleared", { count }));
			await this.ask();
			this.focus();
		});
	}

	/** Take back what was done last, or all answers up to what was written or can't be taken back. */
	private async undo(isAll: boolean): Promise<void> {
		const last = this.done.at(-1);
		if (last === undefined) return;
		if (typeof last === "string") return this.options.accepted?.undo(last);
		if (last.applied) {
			if (await this.isExcluded(last.proposal, last.applied.touched())) return;
			if (!(await last.applied.undo())) return this.options.host.notify(say("review.notUndone"));
		}
		this.done.pop();
		await this.tell(last.proposal, "open", null);
		// A whole run is of answers: what was written between is taken back by itself.
		if (isAll && typeof this.done.at(-1) !== "string") await this.undo(true);
	}

	/**
	 * Whether one of these notes may not be read now; the user is told which, and none is to be written then. Rejects where the
	 * daemon can't say: what may have been excluded meanwhile is not written either.
	 */
	private async isExcluded({ profile, vault }: Proposal, paths: readonly string[]): Promise<boolean> {
		const asked = { profile, vault, paths: [...paths] };
		const { refused } = await this.options.client().ask("POST /v1/review/writable", asked);
		if (refused.length > 0) this.options.host.notify(say("review.excluded", { notes: refused.join(", ") }));
		return refused.length > 0;
	}

	private tick(id: string): void {
		const ticked = new Set(this.ticked);
		if (!ticked.delete(id)) ticked.add(id);
		this.ticked = ticked;
		this.preview = null;
		const at = this.current?.options.findIndex((option) => option.id === id) ?? -1;
		const box = this.body.querySelectorAll<HTMLInputElement>(".sj-review-options input")[at];
		if (box) box.checked = ticked.has(id);
		this.showPreview();
	}

	private open(path: string, line: number, { profile, vault }: Proposal): void {
		this.options.host.open({ profile, vault, path, title: nameOf(path), ...(line > 0 ? { line } : {}) }, "here");
	}

	protected override used(key: string, isShifted: boolean): boolean {
		const said = KEYS[key];
		const option = /^[1-9]$/.test(key) ? this.current?.options[Number(key) - 1] : undefined;
		const mayDecide = this.queue?.mayDecide === true;
		if (said !== undefined) this.answer(said);
		else if (key === "w" && mayDecide && this.options.accepted) this.options.accepted.go();
		else if (key === "u") void (mayDecide && this.begin(() => this.undo(isShifted)));
		else if (option !== undefined && mayDecide) this.tick(option.id);
		else return false;
		return true;
	}

	protected override shown(): readonly Proposal[] {
		return this.queue?.proposals ?? [];
	}

	protected override isSame(a: Proposal, b: Proposal): boolean {
		return isSame(a, b);
	}

	protected override mark(each: Proposal): void {
		if (this.isCurrent(each)) return;
		this.stand(each);
		this.body.querySelector(".sj-review-about")?.remove();
		this.showCurrent();
		this.currentRow?.append(aboutProposal(each, this.actsOn(each)));
		this.drawn = this.state();
		this.showPreview();
	}

	private stand(proposal: Proposal | null): void {
		const isOther = proposal === null || !this.isCurrent(proposal);
		this.current = proposal;
		if (isOther) this.ticked = proposal ? proposedOptions(proposal) : new Set();
		if (isOther) this.preview = null;
	}

	/** Show what yes would change, soon. */
	private showPreview(): void {
		const { current, preview } = this;
		window.clearTimeout(this.timer);
		const place = this.body.querySelector(".sj-review-diff");
		if (!place || !current || (current.options.length === 0 && current.kind !== "near-copy")) return;
		if (preview) return fill(place, diffLines(preview));
		this.timer = window.setTimeout(() => void this.loadPreview(current), SETTLE_MS);
	}

	/** Whether it is shown. What could not be asked is said, and asked again when it is wanted. */
	private async loadPreview(proposal: Proposal): Promise<boolean> {
		const { ticked } = this;
		const asked = this.options
			.client()
			.ask("POST /v1/review/preview", { profile: proposal.profile, key: proposal.key, chosen: [...ticked] });
		const preview = await asked.catch((error: unknown) => trouble(error));
		await this.press.released();
		if (!this.isCurrent(proposal) || ticked !== this.ticked) return false;
		const isThere = typeof preview !== "string";
		if (isThere) this.preview = preview;
		const place = this.body.querySelector(".sj-review-diff");
		if (place) fill(place, diffLines(isThere ? preview : { changes: [], files: [], refused: preview }));
		return isThere;
	}
}
