import { say } from "../../words/say";
import type { Place, Storage } from "../host";
import { h } from "../shared/dom";
import { icon } from "../shared/icons";
import type { Reader } from "./reader";

const KEY = "reader-beside";
/** From this width on there is room for both; below it, the reader covers the results. */
const BESIDE_PX = 740;

/** What the search needs of a reader: the selected note is shown in it. */
export interface Reading {
	/** Is the user in it? */
	readonly isInUse: boolean;
	/** isKept: the row was selected already, and another place of its note matches by now. */
	show(place: Place | null, isKept?: boolean): void;
	/** A result was clicked. Says whether its note is looked at instead of opened. again: it was selected already. */
	look(again: boolean): boolean;
	/** Show the reader, or hide it. */
	toggle(): void;
	/** Go to another match of the note; says whether there is any. */
	step(by: 1 | -1): boolean;
	/** Uncover the results. Says whether they were covered. */
	leave(): boolean;
}

export interface ReadingOptions {
	storage: Storage;
	/** Is a result that is clicked looked at before it is opened, also where the reader has to cover the results? */
	looksFirst: boolean;
	/** The results are uncovered: the focus goes back to them. */
	onBack: () => void;
}

/** The results and the selected note, side by side where there is room, else one over the other. */
export class ReadingColumns implements Reading {
	readonly element: HTMLElement;
	/** Over the results, where there is no room beside them. */
	private isOver = false;
	private readonly observer: ResizeObserver | null;

	constructor(
		results: HTMLElement,
		private readonly reader: Reader,
		private readonly options: ReadingOptions,
	) {
		const back = h(
			"button",
			{ class: "sj-button sj-columns-back", on: { click: () => this.leave() } },
			icon("back"),
			say("reader.back"),
		);
		this.element = h(
			"div",
			{ class: "sj-columns" },
			results,
			h("div", { class: "sj-columns-reader" }, back, reader.element),
		);
		reader.element.addEventListener("keydown", (event) => {
			if (event.key !== "Escape" || !this.leave()) return;
			event.preventDefault();
			event.stopPropagation();
		});
		this.observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => this.draw());
		this.observer?.observe(this.element);
		this.draw();
	}

	get isInUse(): boolean {
		const { element } = this.reader;
		return element.contains(element.ownerDocument.activeElement);
	}

	show(place: Place | null, isKept = false): void {
		this.reader.show(place, isKept);
	}

	look(again: boolean): boolean {
		if (this.isShown) return !again;
		if (this.isRoomy || !this.options.looksFirst) return false;
		this.toggle();
		return true;
	}

	step(by: 1 | -1): boolean {
		return this.isShown && this.reader.step(by);
	}

	toggle(): void {
		if (this.isRoomy) this.options.storage.write(KEY, !this.isBeside);
		else this.isOver = !this.isOver;
		this.draw();
		if (this.isOver) this.reader.element.focus();
	}

	/** Show the reader, and go there. */
	read(): void {
		if (!this.isShown) this.toggle();
		this.reader.element.focus();
	}

	leave(): boolean {
		if (this.isRoomy || !this.isOver) return false;
		this.isOver = false;
		this.draw();
		this.options.onBack();
		return true;
	}

	/** What the host has drawn is let go. */
	dispose(): void {
		this.observer?.disconnect();
		this.reader.dispose();
	}

	private get isShown(): boolean {
		return this.isRoomy ? this.isBeside : this.isOver;
	}

	private get isBeside(): boolean {
		return this.options.storage.read(KEY) !== false;
	}

	/** Without a layout, there is room. */
	private get isRoomy(): boolean {
		const { clientWidth } = this.element;
		return clientWidth === 0 || clientWidth >= BESIDE_PX;
	}

	private draw(): void {
		this.element.classList.toggle("is-roomy", this.isRoomy);
		this.element.classList.toggle("is-alone", !this.isBeside);
		this.element.classList.toggle("is-over", this.isOver);
	}
}
