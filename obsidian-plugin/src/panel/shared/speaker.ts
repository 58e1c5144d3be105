import { h } from "./dom";

/** Numbers that change while one types are not said, only what they come to. */
const CALM_MS = 600;

/** What assistive technology says by itself: each thing once, when it has come to rest. */
export class Speaker {
	readonly element = h("div", { class: "sj-said", attrs: { role: "status", "aria-live": "polite" } });
	private timer: number | undefined;
	private last = "";

	/** Say how things stand, unless that is what was said last. */
	state(text: string): void {
		this.wait(text === this.last ? null : text, CALM_MS);
	}

	/** Say what a key that was pressed has done, also if it did the same before. */
	now(text: string): void {
		this.element.textContent = "";
		this.wait(text, 0);
	}

	dispose(): void {
		this.wait(null);
	}

	/** text: what is said in a while, in place of what was going to be; null: nothing is. */
	private wait(text: string | null, ms = 0): void {
		window.clearTimeout(this.timer);
		this.element.ariaBusy = String(text !== null);
		if (text !== null) this.timer = window.setTimeout(() => this.put(text), ms);
	}

	private put(text: string): void {
		this.last = text;
		this.element.textContent = text;
		this.element.ariaBusy = "false";
	}
}
