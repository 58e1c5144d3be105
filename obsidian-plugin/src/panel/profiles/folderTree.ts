import type { FolderReply, FoldersReply } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h, keepFocus, muted, setAttr } from "../shared/dom";
import { inside, isBarredAbove, standingAround, standingOf, withStanding, type Choice } from "./choice";
import { trouble } from "../shared/trouble";

export interface FolderTreeOptions {
	/** What is in a folder of the vault; "." is the vault. */
	look: (below: string) => Promise<FoldersReply>;
	choice: Choice;
	onChange: (choice: Choice) => void;
}

/**
 * The folders of a vault with their notes counted: a tick lets one be read, "Leave out" keeps it out whatever is ticked above.
 * Folders are looked into as they are opened.
 */
export class FolderTree {
	readonly element = h("div", { class: "sj-tree" });
	private chosen: Choice;
	private readonly opened = new Map<string, FoldersReply>();
	private top: FoldersReply | null = null;

	constructor(private readonly options: FolderTreeOptions) {
		this.chosen = options.choice;
	}

	get choice(): Choice {
		return this.chosen;
	}

	/** Look into the vault. Rejects with `ApiError`. */
	async load(): Promise<void> {
		this.top = await this.options.look(".");
		if (this.chosen.allow.length === 0 && this.chosen.exclude.length === 0)
			this.chosen = { allow: [], exclude: this.top.excluded_elsewhere };
		this.options.onChange(this.chosen);
		this.draw();
	}

	private draw(): void {
		if (!this.top) return;
		const total = this.top.folders.reduce((sum, folder) => sum + folder.notes, this.top.loose_notes);
		const whole: FolderReply = { name: say("tree.whole"), notes: total, has_folders: false };
		const list = h(
			"ul",
			{ attrs: { "aria-label": say("tree.label") } },
			this.line(".", whole),
			...this.lines(".", this.top),
		);
		const incomplete = !this.top.complete && muted(say("tree.incomplete"));
		keepFocus(this.element, () => fill(this.element, list, incomplete));
	}

	private lines(folder: string, { folders }: FoldersReply): HTMLElement[] {
		return folders.map((each) => this.line(inside(folder, each.name), each));
	}

	private line(path: string, folder: FolderReply): HTMLElement {
		const standing = standingOf(this.chosen, path);
		const pressed = standing === "never" ? standingAround(this.chosen, path) : "never";
		const tick = h("input", {
			attrs: { type: "checkbox", disabled: isBarredAbove(this.chosen, path), "data-focus": `read ${path}` },
			on: { change: () => this.set(withStanding(this.chosen, path, tick.checked ? "read" : "unread")) },
		});
		tick.checked = standing === "read";
		const never = h("button", {
			class: "sj-folder-never",
			text: say("tree.leaveOut"),
			attrs: {
				"aria-pressed": String(standing === "never"),
				"aria-label": say("tree.leaveOutOne", { folder: folder.name }),
				disabled: isBarredAbove(this.chosen, path),
				"data-focus": `never ${path}`,
			},
			on: { click: () => this.set(withStanding(this.chosen, path, pressed)) },
		});
		const shown = this.opened.get(path);
		const line = h(
			"li",
			{ class: `sj-folder sj-folder-${standing}` },
			h(
				"div",
				{ class: "sj-folder-line" },
				this.opener(path, folder),
				h(
					"label",
					{},
					tick,
					h("span", { class: "sj-folder-name", text: folder.name, attrs: { dir: "auto" } }),
					h("span", { class: "sj-muted", text: say("count.notes", { count: folder.notes }) }),
				),
				path !== "." && never,
			),
			shown && h("ul", {}, ...this.lines(path, shown)),
		);
		return line;
	}

	private opener(path: string, folder: FolderReply): HTMLElement {
		if (!folder.has_folders) return h("span", { class: "sj-folder-open" });
		const isOpen = this.opened.has(path);
		return h("button", {
			class: "sj-folder-open",
			text: isOpen ? "▾" : "▸",
			attrs: {
				"aria-expanded": String(isOpen),
				"aria-label": say("tree.foldersIn", { folder: folder.name }),
				"data-focus": `open ${path}`,
			},
			on: { click: (event) => void this.toggle(path, event.currentTarget as HTMLElement) },
		});
	}

	private async toggle(path: string, opener: HTMLElement): Promise<void> {
		if (!this.opened.delete(path)) {
			try {
				this.opened.set(path, await this.options.look(path));
			} catch (error) {
				setAttr(opener, "title", trouble(error));
				return;
			}
		}
		this.draw();
	}

	private set(choice: Choice): void {
		this.chosen = choice;
		this.options.onChange(choice);
		this.draw();
	}
}
