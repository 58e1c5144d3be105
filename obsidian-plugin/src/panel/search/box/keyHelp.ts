import { say } from "../../../words/say";
import { Disclosure } from "../../shared/disclosure";
import { h, uniqueId } from "../../shared/dom";
import type { Hint } from "./keys";

/** How long Control, or Command on a Mac, is held before the keys are shown: longer than a shortcut takes. */
const HELD_MS = 700;

export interface KeyHelpOptions {
	isMac: boolean;
	hints: readonly Omit<Hint, "action">[];
}

/** All keys of the search, behind a button, and while Control is held. */
export class KeyHelp {
	private readonly disclosure: Disclosure;
	private readonly held: string;
	private timer: number | undefined;
	/** Are the keys shown for as long as the key is held? */
	private isHeld = false;

	/** view: where keys are pressed; line: where the button goes. */
	constructor(view: HTMLElement, line: HTMLElement, { isMac, hints }: KeyHelpOptions) {
		this.held = isMac ? "Meta" : "Control";
		const button = h("button", {
			class: "sj-quiet sj-help-button",
			text: "?",
			title: say("key.line"),
			attrs: { "aria-label": say("key.line") },
		});
		const panel = h("div", { class: "sj-panel sj-help", attrs: { id: uniqueId("keys") } }, hintLine(hints));
		line.append(button, panel);
		this.disclosure = new Disclosure(line, button, panel);
		view.addEventListener("keydown", (event) => this.pressed(event), { capture: true });
		view.addEventListener("keyup", () => this.released());
		view.addEventListener("focusout", () => this.released());
	}

	toggle(): void {
		this.disclosure.toggle();
	}

	/** Hide the keys. Says whether they were shown. */
	close(): boolean {
		return this.disclosure.close();
	}

	private pressed({ key, repeat }: KeyboardEvent): void {
		if (repeat && key === this.held) return;
		this.released();
		if (key !== this.held || this.disclosure.isOpen) return;
		this.timer = window.setTimeout(() => {
			this.isHeld = true;
			this.disclosure.toggle();
		}, HELD_MS);
	}

	private released(): void {
		window.clearTimeout(this.timer);
		if (this.isHeld) this.disclosure.close();
		this.isHeld = false;
	}
}

/** Keys and what they do. Pointing devices have their own ways, so it only informs. */
function hintLine(shown: readonly Omit<Hint, "action">[]): HTMLElement {
	const parts = shown.map(({ keys, label }) =>
		h("span", { class: "sj-hint" }, ...keys.map((key) => h("kbd", { text: key })), label),
	);
	return h("div", { class: "sj-hints", attrs: { role: "note", "aria-label": say("key.line") } }, ...parts);
}
