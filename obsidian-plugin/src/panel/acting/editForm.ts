import type { ResultEdit } from "../../api/wire";
import { say } from "../../words/say";
import { h } from "../shared/dom";

type Action = ResultEdit["action"];
type Field = "find" | "after" | "name" | "value";
type Option = "wholeWord" | "matchCase" | "frontmatter";

const ACTIONS = ["replace", "add-tag", "remove-tag", "set-property", "remove-property"] as const satisfies Action[];
const FIELDS: Record<Action, readonly Field[]> = {
	replace: ["find", "after"],
	"add-tag": ["name"],
	"remove-tag": ["name"],
	"set-property": ["name", "value"],
	"remove-property": ["name"],
};

/** Asks what is to be done to every result. */
export class EditForm {
	readonly element = h("div", { class: "sj-acting-form" });
	private readonly actions: HTMLSelectElement;
	private readonly inputs: Record<Field, HTMLInputElement>;
	private readonly options: Record<Option, HTMLInputElement>;

	/** onChange: another edit is asked for than before. onEnter: the user is through. */
	constructor(onChange: () => void, onEnter: () => void) {
		const chosen = ACTIONS.map((action) =>
			h("option", { text: say(`acting.${action}`), attrs: { value: action } }),
		);
		this.actions = h(
			"select",
			{ attrs: { "aria-label": say("acting.what") }, on: { change: onChange } },
			...chosen,
		);
		this.actions.addEventListener("change", () => this.showFields());
		const input = (field: Field): HTMLInputElement => {
			const made = h("input", {
				attrs: { type: "text", placeholder: say(`acting.${field}`), "aria-label": say(`acting.${field}`) },
				on: { input: onChange },
			});
			made.addEventListener("keydown", (event) => {
				if (event.key !== "Enter" || event.isComposing || event.repeat) return;
				event.preventDefault();
				onEnter();
			});
			return made;
		};
		const box = (): HTMLInputElement => h("input", { attrs: { type: "checkbox" }, on: { change: onChange } });
		this.inputs = { find: input("find"), after: input("after"), name: input("name"), value: input("value") };
		this.options = { wholeWord: box(), matchCase: box(), frontmatter: box() };
		const labels = (["wholeWord", "matchCase", "frontmatter"] as const).map((option) =>
			h("label", {}, this.options[option], " ", say(`acting.${option}`)),
		);
		this.element.append(this.actions, ...Object.values(this.inputs), ...labels);
		this.showFields();
	}

	focus(): void {
		this.actions.focus();
	}

	get edit(): ResultEdit {
		const { find, after, name, value } = this.inputs;
		const { wholeWord, matchCase, frontmatter } = this.options;
		if (this.action === "replace")
			return {
				action: this.action,
				find: find.value,
				after: after.value,
				whole_word: wholeWord.checked,
				match_case: matchCase.checked,
				frontmatter: frontmatter.checked,
			};
		const isTag = this.action.endsWith("-tag");
		return {
			action: this.action,
			name: name.value.trim().replace(isTag ? /^#/ : "", ""),
			value: value.value.trim(),
		};
	}

	private get action(): Action {
		return ACTIONS[this.actions.selectedIndex] ?? "replace";
	}

	private showFields(): void {
		const shown = FIELDS[this.action];
		for (const field of Object.keys(this.inputs) as Field[]) this.inputs[field].hidden = !shown.includes(field);
		for (const { parentElement } of Object.values(this.options))
			if (parentElement) parentElement.hidden = this.action !== "replace";
	}
}
