import type { Suggestion, SuggestAsk } from "../../api/wire";
import { fill, h } from "../shared/dom";
import { icon } from "../shared/icons";
import { Newest } from "../shared/newest";
import { say } from "../../words/say";
import { isFilter, partsOf } from "./box/queryParts";
import type { Scope } from "./scopeBar";

const MOST = 3;
/** Of more words, no folder is called so. */
const MOST_WORDS = 5;
const NO_WORD = /["()[\]*?|]|^-/;

/** The folders that a query names, to be gone into. */
export class NamedFolders {
	readonly element = h("div", {
		class: "sj-chips sj-named-folders",
		attrs: { role: "group", "aria-label": say("folders.label"), hidden: true },
	});
	private readonly asked = new Newest();

	constructor(
		private readonly suggest: (ask: SuggestAsk) => Promise<readonly Suggestion[]>,
		private readonly onOpen: (folder: string) => void,
	) {}

	/** Show those that this query names, of the profiles that it is put to; none for a query with anything but words. Never rejects. */
	async show(query: string, profiles: Scope["profiles"]): Promise<void> {
		const isNewest = this.asked.begin();
		const words = partsOf(query);
		const isName = words.length <= MOST_WORDS && !words.some((word) => isFilter(word) || NO_WORD.test(word));
		const ask = { kind: "named-folder", prefix: words.join(" "), limit: MOST } as const;
		const asks = words.length > 0 && isName ? (profiles ?? [null]).map((profile) => ({ ...ask, profile })) : [];
		const found = await Promise.all(asks.map((each) => this.suggest(each).catch(() => [])));
		if (!isNewest()) return;
		const folders = new Map(found.flat().map((folder) => [folder.value, folder]));
		const chips = [...folders.values()].slice(0, MOST).map((folder) => this.chip(folder));
		this.element.hidden = chips.length === 0;
		fill(this.element, ...chips);
	}

	private chip({ value, notes }: Suggestion): HTMLElement {
		return h(
			"button",
			{ class: "sj-chip sj-offer", on: { click: () => this.onOpen(value) } },
			icon("folder"),
			h("span", { class: "sj-facet-name", text: ` ${value}` }),
			h("span", { class: "sj-count", text: ` ${notes}` }),
		);
	}
}
