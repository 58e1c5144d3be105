import { h, setAttr, uniqueId } from "../../panel/shared/dom";
import type { Connection } from "../../panel/status/connection";
import { shortWords } from "../../panel/status/words";
import { say } from "../../words/say";
import { logo } from "./logo";

export interface Screen {
	name: string;
	title: string;
	element: HTMLElement;
	/** The screen was opened: load what it shows. */
	onShow: () => void;
	/** It was opened to be worked in, rather than passed on the way along the tabs; left out: as when it is shown. */
	onEnter?: () => void;
}

/** The page around the screens: name, tabs, and a light that tells how the daemon does. */
export class Shell {
	readonly element = h("div", { class: "page" });
	private readonly tabs: HTMLButtonElement[];
	private readonly panels: HTMLElement[];

	private shown = 0;

	constructor(
		private readonly screens: readonly Screen[],
		connection: Connection,
		/** The user chose another screen. */
		private readonly onMove: () => void,
	) {
		const ids = screens.map(() => uniqueId("screen"));
		this.tabs = screens.map(({ title }, index) =>
			h("button", {
				class: "page-tab",
				text: title,
				attrs: { role: "tab", id: `${ids[index]}-tab`, "aria-controls": ids[index] },
				on: { click: () => this.go(index, true), keydown: (event) => this.pressed(event, index) },
			}),
		);
		this.panels = screens.map(({ element }, index) =>
			h(
				"div",
				{
					class: "page-screen",
					attrs: { role: "tabpanel", id: ids[index], "aria-labelledby": `${ids[index]}-tab` },
				},
				element,
			),
		);
		const [lamp, said] = [h("span"), h("span")];
		const toStatus = (): void => this.go(this.indexOf("status"), true);
		const light = h("button", { class: "page-light", on: { click: toStatus } }, lamp, said);
		connection.listen((state) => {
			const words = shortWords(state);
			lamp.className = `sj-light sj-light-${words.light}`;
			said.textContent = light.title = words.text;
		});
		this.element.append(
			h(
				"header",
				{ class: "page-head" },
				h("h1", { class: "page-name" }, logo(), "Scrubjay"),
				h(
					"div",
					{ class: "page-tabs", attrs: { role: "tablist", "aria-label": say("screen.tabs") } },
					...this.tabs,
				),
				light,
			),
			h("main", { class: "page-main" }, ...this.panels),
		);
	}

	/** The name of the screen that is open. */
	get screen(): string {
		return this.screens[this.shown]?.name ?? "";
	}

	titleOf(name: string): string {
		return this.screens[this.indexOf(name)]?.title ?? "";
	}

	/** Open a screen by its name; the first, where there is none of this name. */
	open(name: string): void {
		this.show(this.indexOf(name), true);
	}

	private indexOf(name: string): number {
		return Math.max(
			0,
			this.screens.findIndex((screen) => screen.name === name),
		);
	}

	private go(index: number, isEntered: boolean): void {
		this.show(index, isEntered);
		this.onMove();
	}

	private show(shown: number, isEntered: boolean): void {
		this.shown = shown;
		this.screens.forEach((_, index) => {
			const tab = this.tabs[index];
			const panel = this.panels[index];
			if (!tab || !panel) return;
			setAttr(tab, "aria-selected", String(index === shown));
			setAttr(tab, "tabindex", index === shown ? 0 : -1);
			panel.hidden = index !== shown;
		});
		const { onShow, onEnter = onShow } = this.screens[shown] ?? {};
		(isEntered ? onEnter : onShow)?.();
		this.tabs[shown]?.scrollIntoView({ block: "nearest", inline: "nearest" });
	}

	private pressed(event: KeyboardEvent, index: number): void {
		const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
		if (step === 0) return;
		event.preventDefault();
		const next = (index + step + this.tabs.length) % this.tabs.length;
		this.go(next, false);
		this.tabs[next]?.focus();
	}
}
