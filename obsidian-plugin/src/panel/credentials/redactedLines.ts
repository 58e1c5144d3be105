import type { Client } from "../../api/client";
import type { Credential, PartOfNote } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h } from "../shared/dom";
import { isSame } from "./worklist";

/** Of the lines around a finding. */
const MOST_TOKENS = 1_000;
/** While the choice runs down the list, the lines on the way are not fetched. */
const SETTLE_MS = 120;
const AROUND = 1;
const MARK = /(\[REDACTED:[\w.-]+\])/;

/** The line of a finding and its neighbours, as they are indexed: what was found is taken out of them. */
export class RedactedLines {
	readonly element = h("pre", {
		class: "sj-finding-lines",
		attrs: { "aria-label": say("credentials.lines"), "data-focus": "lines", tabindex: "0" },
	});
	private timer: number | undefined;
	private wanted: Credential | null = null;
	private known: PartOfNote | null = null;

	constructor(private readonly client: () => Client) {
		this.element.hidden = true;
	}

	/** The headings above the lines that are shown, for opening the note there. */
	get headings(): readonly string[] {
		return this.known?.passages[0]?.headings ?? [];
	}

	/** Show the lines of this finding soon; null: none. */
	show(finding: Credential | null): void {
		if (finding === this.wanted || (finding && this.wanted && isSame(finding, this.wanted))) return;
		this.wanted = finding;
		this.known = null;
		this.element.hidden = true;
		window.clearTimeout(this.timer);
		if (finding) this.timer = window.setTimeout(() => void this.load(finding), SETTLE_MS);
	}

	private async load(finding: Credential): Promise<void> {
		const { path, profile, vault, line } = finding;
		const reply = await this.client()
			.askIfOffered("POST /v1/read", {
				notes: [path],
				profiles: [profile],
				around: line,
				max_tokens: MOST_TOKENS,
			})
			.catch(() => null);
		// None where the note has no such line, or several notes end so.
		const note = reply?.notes[0];
		if (this.wanted === null || !isSame(finding, this.wanted) || note?.vault !== vault) return;
		this.known = note;
		const lines = linesNear(note, line);
		fill(
			this.element,
			...lines
				.split(MARK)
				.map((part, index) => (index % 2 === 1 ? h("mark", { class: "sj-mark", text: part }) : part)),
		);
		this.element.hidden = lines.trim() === "";
	}
}

/** The line and the one before and behind it; "" where no passage has the line. */
function linesNear({ passages }: Pick<PartOfNote, "passages">, line: number): string {
	for (const { line: first, text } of passages) {
		const lines = text.split("\n");
		const at = line - first;
		if (at >= 0 && at < lines.length) return lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).join("\n");
	}
	return "";
}
