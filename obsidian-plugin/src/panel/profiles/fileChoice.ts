import type { FileSettings } from "../../api/wire";
import { say } from "../../words/say";
import { h, muted } from "../shared/dom";
import { kindWords } from "../shared/kinds";

/** Of which the text can be read; source code is chosen by its extensions, in a terminal. */
const READABLE = [
	"pdf",
	"document",
	"slides",
	"sheet",
	"book",
	"web",
	"canvas",
	"base",
	"drawing",
	"text",
	"notebook",
] as const;

/** Which files of a profile are read beside its notes, to be ticked. */
export class FileChoice {
	readonly element: HTMLElement;
	private readonly kinds: ReadonlyMap<(typeof READABLE)[number], HTMLInputElement>;
	private readonly attachments: HTMLInputElement;
	private readonly ocr: HTMLInputElement;

	constructor(private readonly before: FileSettings) {
		const read = before.kinds ?? READABLE;
		this.kinds = new Map(READABLE.map((kind) => [kind, tick(read.includes(kind))]));
		this.attachments = tick(before.attachments ?? true);
		this.ocr = tick(before.ocr ?? false);
		this.element = h(
			"div",
			{},
			muted(say("profiles.files.detail")),
			h(
				"div",
				{ class: "sj-file-kinds", attrs: { role: "group", "aria-label": say("profiles.files") } },
				...[...this.kinds].map(([kind, field]) => line(field, kindWords(kind))),
			),
			line(this.attachments, say("profiles.files.attachments")),
			line(this.ocr, say("profiles.files.ocr")),
		);
	}

	/** As they are ticked now; what is not among them stays as it was. */
	get chosen(): FileSettings {
		const kinds = [...this.kinds].filter(([, field]) => field.checked).map(([kind]) => kind);
		return { ...this.before, kinds, attachments: this.attachments.checked, ocr: this.ocr.checked };
	}
}

function tick(checked: boolean): HTMLInputElement {
	const field = h("input", { attrs: { type: "checkbox" } });
	field.checked = checked;
	return field;
}

function line(field: HTMLInputElement, label: string): HTMLElement {
	return h("label", { class: "sj-file-line" }, field, label);
}
