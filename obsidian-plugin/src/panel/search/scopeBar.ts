import type { ProfileReply } from "../../api/wire";
import type { Mode } from "../../api/words";
import { fill, h, setAttr, setColour } from "../shared/dom";

const MODES: readonly { mode: Mode; label: string; about: string }[] = [
	{ mode: "hybrid", label: "Both", about: "By words and by meaning" },
	{ mode: "lexical", label: "Words", about: "By words only" },
	{ mode: "semantic", label: "Meaning", about: "By meaning only" },
];

export interface ScopeBarOptions {
	mode: Mode;
	onMode: (mode: Mode) => void;
	/** undefined: all of them. */
	onProfiles: (names: string[] | undefined) => void;
}

/** Which profiles are searched, and in which mode. */
export class ScopeBar {
	readonly element = h("div", { class: "sj-scope" });
	private readonly chips = h("div", { class: "sj-chips", attrs: { role: "group", "aria-label": "Profiles" } });
	private readonly modes = h("div", { class: "sj-modes", attrs: { role: "group", "aria-label": "Search mode" } });
	private profiles: readonly ProfileReply[] = [];
	private chosen = new Set<string>();
	private mode: Mode;

	constructor(private readonly options: ScopeBarOptions) {
		this.mode = options.mode;
		this.element.append(this.chips, this.modes);
		this.drawModes();
	}

	setProfiles(profiles: readonly ProfileReply[]): void {
		this.profiles = profiles;
		this.chosen = new Set([...this.chosen].filter((name) => profiles.some((profile) => profile.name === name)));
		this.drawChips();
	}

	/** A chip selects or leaves its profile; none selected means all. */
	private toggle(name: string | null): void {
		if (name === null) this.chosen.clear();
		else if (!this.chosen.delete(name)) this.chosen.add(name);
		if (this.chosen.size === this.profiles.length) this.chosen.clear();
		this.drawChips();
		this.options.onProfiles(this.chosen.size === 0 ? undefined : [...this.chosen]);
	}

	/** Drawn once; pressing only changes the pressed state, so that the focus stays where it is. */
	private drawChips(): void {
		this.chips.hidden = this.profiles.length < 2;
		if (this.chips.childElementCount !== this.profiles.length + 1) {
			fill(this.chips, this.chip(null, "All", null), ...this.profiles.map(({ name, colour }) => this.chip(name, name, colour)));
		}
		[...this.chips.children].forEach((chip, index) => {
			const name = this.profiles[index - 1]?.name;
			setAttr(chip, "aria-pressed", String(name === undefined ? this.chosen.size === 0 : this.chosen.has(name)));
		});
	}

	private chip(name: string | null, label: string, colour: string | null): HTMLElement {
		const dot = name !== null && h("span", { class: "sj-dot" });
		const chip = h("button", { class: "sj-chip", on: { click: () => this.toggle(name) } }, dot, label);
		setColour(chip, colour);
		return chip;
	}

	private drawModes(): void {
		const buttons = MODES.map(({ mode, label, about }) =>
			h("button", {
				class: "sj-mode",
				text: label,
				title: about,
				attrs: { "aria-pressed": String(mode === this.mode) },
				on: { click: () => this.choose(mode) },
			}),
		);
		fill(this.modes, ...buttons);
	}

	/** As if the mode's button were pressed. */
	choose(mode: Mode): void {
		this.mode = mode;
		[...this.modes.children].forEach((button, index) => setAttr(button, "aria-pressed", String(MODES[index]?.mode === mode)));
		this.options.onMode(mode);
	}
}
