import type { Client } from "../../api/client";
import type { ApplyReport, PreviewReply, Proposal, RunShown } from "../../api/wire";
import { say, sayAround } from "../../words/say";
import type { Host } from "../host";
import { fill, h, muted, refill } from "../shared/dom";
import { nameOf } from "../shared/format";
import { timeOf } from "../shared/time";
import { button } from "../shared/notice";
import { trouble } from "../shared/trouble";
import { diffLines } from "./diffLines";
import type { AcceptedPart } from "./reviewParts";

/** As many as are written at once. */
const MOST = 100;

interface Looked {
	proposal: Proposal;
	preview: PreviewReply;
}

/**
 * What was said yes to, where notes are written by the command that the daemon calls: first all of it is shown, then it is
 * written; and what was written, to be taken back.
 */
export class AcceptedChanges implements AcceptedPart {
	readonly element = h("section", { class: "sj-review-accepted" });
	readonly about = say("review.collects");
	onRun: AcceptedPart["onRun"] = () => undefined;
	private readonly accepted = h("div");
	private readonly runs = h("div");
	private readonly list = h("details", {}, h("summary", { text: say("review.runs") }), this.runs);
	/** In sight while something was begun and is not over: to write takes seconds. */
	private readonly working = h("p", { class: "sj-muted", text: say("profiles.working"), attrs: { role: "status" } });
	private count = -1;
	private looked: readonly Looked[] | null = null;

	/** onDone: notes were written, or are as before. */
	constructor(private readonly options: { client: () => Client; host: Host; onDone: () => Promise<void> }) {
		this.list.addEventListener("toggle", () => this.list.open && void this.loadRuns().catch(this.failed));
		this.working.hidden = true;
		this.element.append(this.accepted, this.working, this.list);
	}

	show(count: number, written: boolean): void {
		this.list.hidden = !written && !this.list.open;
		if (count === this.count) return;
		this.count = count;
		this.looked = null;
		this.draw();
	}

	undo(run: string): void {
		this.begin(() => this.takeBack(run));
	}

	go(): void {
		if (this.count > 0) this.begin(() => (this.looked === null ? this.look() : this.write(this.looked)));
	}

	private draw(): void {
		const { count, looked } = this;
		const label = say(looked === null ? "review.look" : "review.write");
		const act = h("button", {
			class: "sj-button sj-button-main",
			text: label,
			attrs: { "aria-label": label },
			on: { click: () => this.go() },
		});
		const shown = (looked ?? []).filter(({ preview: { files, refused } }) => files.length > 0 || refused !== "");
		const others = (looked?.length ?? 0) - shown.length;
		const diffs = shown.map(({ proposal: { title, path }, preview }) =>
			preview.refused === ""
				? diffLines(preview)
				: muted(`${title || nameOf(path)}: ${say("review.refused", { reason: preview.refused })}`),
		);
		refill(
			this.accepted,
			count > 0 && h("p", { text: say("review.toWrite", { count }) }),
			...diffs,
			others > 0 && muted(say("review.noChange", { count: others })),
			count > 0 && act,
		);
		if (looked !== null) act.focus();
	}

	private async look(): Promise<void> {
		const client = this.options.client();
		const { proposals } = await client.ask("GET /v1/review", { answer: "yes", limit: MOST });
		const previews = proposals.map(({ profile, key, chosen }) =>
			client.ask("POST /v1/review/preview", { profile, key, chosen: chosen.length > 0 ? chosen : null }),
		);
		const found = await Promise.all(previews);
		this.looked = proposals.flatMap((proposal, at) => {
			const preview = found[at];
			return preview ? [{ proposal, preview }] : [];
		});
		this.draw();
	}

	/** Those that were shown, and no others. */
	private async write(looked: readonly Looked[]): Promise<void> {
		const keys = looked.map(({ proposal }) => proposal.key);
		const report = await this.options.client().ask("POST /v1/review/write", { keys });
		this.tell(report, say("review.wrote", { count: report.notes.length }));
		if (report.run !== "") this.onRun(report.run, true);
		this.changed();
	}

	private async takeBack(run: string): Promise<void> {
		const report = await this.options.client().ask("POST /v1/review/undo", { run });
		this.tell({ ...report, run: "" }, say("review.undone", { count: report.notes.length }));
		this.onRun(run, false);
		this.changed();
	}

	/** What is left to write is not known until it was asked, and that is not waited for: the next step may be taken at once. */
	private changed(): void {
		this.list.hidden = false;
		this.show(0, true);
		this.count = -1;
		const runs = this.list.open ? this.loadRuns() : Promise.resolve();
		runs.then(this.options.onDone).catch(this.failed);
	}

	private tell({ run, refused }: ApplyReport, said: string): void {
		const lines = [said, ...refused.map(({ path, reason }) => `${path}: ${reason}`)];
		const undo = { label: say("do.undo"), act: () => this.undo(run) };
		this.options.host.notify(lines.join(" "), run === "" ? undefined : undo);
	}

	private async loadRuns(): Promise<void> {
		const { runs } = await this.options.client().ask("GET /v1/review/runs");
		fill(
			this.runs,
			runs.length === 0 && muted(say("review.noRuns")),
			h("ul", { class: "sj-findings" }, ...runs.map((run) => this.row(run))),
		);
	}

	private row({ run, applied, profile, notes, blocked }: RunShown): HTMLElement {
		const words = h(
			"span",
			{},
			...sayAround("review.run", { when: timeOf(applied, new Date()), profile, count: notes }),
		);
		const undo = button({ label: say("do.undo"), act: () => this.undo(run) });
		undo.setAttribute("aria-label", `${say("do.undo")}: ${words.textContent}`);
		const reasons = blocked.map(({ path, reason }) => h("span", { class: "sj-muted", text: `${path}: ${reason}` }));
		return h("li", { class: "sj-hidden-note" }, h("span", {}, words, ...reasons), undo);
	}

	private readonly failed = (error: unknown): void => this.options.host.notify(trouble(error));

	private begin(step: () => Promise<void>): void {
		if (!this.working.hidden) return;
		this.working.hidden = false;
		step()
			.catch(this.failed)
			.finally(() => (this.working.hidden = true));
	}
}
