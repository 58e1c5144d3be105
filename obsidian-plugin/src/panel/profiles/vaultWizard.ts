import type { Client } from "../../api/client";
import type { KnownVaultReply } from "../../api/wire";
import { say } from "../../words/say";
import { fill, h, keepFocus, muted, setAttr, uniqueId } from "../shared/dom";
import { button } from "../shared/notice";
import { isNothing, NOTHING } from "./choice";
import { folderBelow, folderOver } from "./diskPaths";
import { FolderTree } from "./folderTree";
import { trouble } from "../shared/trouble";

export interface VaultWizardOptions {
	client: () => Client;
	/** The folder of a vault that is searched already: others are looked for beside it. */
	beside: string | null;
	onMade: () => void;
	onCancel: () => void;
}

/** From a vault to a profile in three questions: which vault, what of it may be read, and a name. */
export class VaultWizard {
	readonly element = h("section", { class: "sj-card sj-wizard", attrs: { "aria-label": say("wizard.label") } });

	constructor(private readonly options: VaultWizardOptions) {}

	/** Ask which vault. Never rejects. */
	async start(): Promise<void> {
		const reply = await this.options
			.client()
			.askIfOffered("GET /v1/vaults")
			.catch(() => null);
		const free = (reply?.vaults ?? []).filter(({ profile }) => profile === "");
		const path = h("input", {
			class: "sj-field",
			attrs: {
				type: "text",
				placeholder: say("wizard.path.example"),
				"aria-label": say("wizard.path"),
				spellcheck: "false",
			},
		});
		const said = this.alert();
		const folders = h("div", { class: "sj-browse" });
		const choose = (): void => void this.look(path.value.trim(), said);
		path.addEventListener("input", () => fill(said)); // it was said of another folder
		path.addEventListener("keydown", (event) => {
			if (event.key === "Enter" && !event.isComposing) choose();
		});
		fill(
			this.element,
			h("h3", { text: say("wizard.which") }),
			free.length > 0 && muted(say("wizard.known")),
			h("ul", { class: "sj-vaults" }, ...free.map((vault) => this.known(vault, said))),
			muted(say(free.length > 0 ? "wizard.other" : "wizard.folder")),
			h("div", { class: "sj-wizard-line" }, path, button({ label: say("wizard.look"), act: choose })),
			said,
			folders,
			h("div", { class: "sj-card-actions" }, button({ label: say("do.cancel"), act: this.options.onCancel })),
		);
		(this.element.querySelector<HTMLElement>(".sj-vaults button") ?? path).focus();
		const { beside } = this.options;
		const begin = beside === null ? (reply?.home ?? "") : folderOver(beside);
		if (begin !== "") void this.browse(begin, path, folders, said);
	}

	/** Folders to walk through, so that no path need be typed: the one that is chosen stands in the field. Never rejects. */
	private async browse(folder: string, path: HTMLInputElement, list: HTMLElement, said: HTMLElement): Promise<void> {
		const reply = await this.options
			.client()
			.ask("POST /v1/vaults/folders", { root: folder, below: "." })
			.catch(() => null);
		if (!reply) return;
		const walk = (to: string): void => {
			path.value = to;
			fill(said);
			void this.browse(to, path, list, said);
		};
		const over = folderOver(folder);
		const rows = reply.folders
			.filter(({ notes }) => notes > 0 || !reply.complete)
			.map(({ name, notes }) => {
				const choose = button({ label: name, act: () => walk(folderBelow(folder, name)) });
				return h(
					"li",
					{},
					choose,
					notes > 0 && h("span", { class: "sj-muted", text: say("count.notes", { count: notes }) }),
				);
			});
		const up = button({ label: say("wizard.up"), act: () => walk(over) });
		setAttr(up, "data-focus", "up");
		const label = say("wizard.browse", { folder });
		const draw = (): void =>
			fill(
				list,
				muted(label),
				h(
					"ul",
					{ class: "sj-vaults", attrs: { "aria-label": label } },
					over !== folder && h("li", {}, up),
					...rows,
				),
			);
		if (keepFocus(list, draw)) up.focus();
	}

	private known({ name, root }: KnownVaultReply, said: HTMLElement): HTMLElement {
		const choose = button({ label: name, act: () => void this.look(root, said) });
		return h("li", {}, choose, h("span", { class: "sj-path", text: root, attrs: { dir: "auto" } }));
	}

	private async look(root: string, said: HTMLElement): Promise<void> {
		if (root === "") return fill(said, say("wizard.noFolder"));
		const make = button(
			{ label: say("wizard.make"), act: () => void this.make(root, name.value.trim(), tree, failed) },
			"sj-button sj-button-main",
		);
		const why = h("span", { class: "sj-muted", text: say("wizard.tickFirst"), attrs: { id: uniqueId("why") } });
		setAttr(make, "aria-describedby", why.id);
		const tree = new FolderTree({
			look: (below) => this.options.client().ask("POST /v1/vaults/folders", { root, below }),
			choice: NOTHING,
			onChange: (choice) => {
				make.disabled = isNothing(choice);
				why.hidden = !make.disabled;
			},
		});
		const name = h("input", {
			class: "sj-field",
			attrs: { type: "text", maxlength: 60, "aria-label": say("wizard.name") },
		});
		name.value = root.split(/[\\/]/).filter(Boolean).pop() ?? "notes";
		const failed = this.alert();
		make.disabled = true;
		try {
			await tree.load();
		} catch (error) {
			return fill(said, trouble(error));
		}
		fill(
			this.element,
			h("h3", { text: say("wizard.allow") }),
			muted(say("wizard.allow.detail")),
			tree.element,
			h("label", { class: "sj-wizard-line" }, say("wizard.callIt"), name),
			failed,
			h(
				"div",
				{ class: "sj-card-actions" },
				make,
				why,
				button({ label: say("do.back"), act: () => void this.start() }),
				button({ label: say("do.cancel"), act: this.options.onCancel }),
			),
		);
		tree.element.querySelector<HTMLElement>("input")?.focus();
	}

	private async make(root: string, name: string, tree: FolderTree, said: HTMLElement): Promise<void> {
		if (name === "") return fill(said, say("wizard.noName"));
		try {
			await this.options
				.client()
				.ask("POST /v1/profiles", {
					name,
					vaults: [{ root, allow: [...tree.choice.allow], exclude: [...tree.choice.exclude] }],
				});
		} catch (error) {
			return fill(said, trouble(error));
		}
		this.options.onMade();
	}

	private alert(): HTMLElement {
		return h("p", { class: "sj-wizard-said", attrs: { role: "alert" } });
	}
}
