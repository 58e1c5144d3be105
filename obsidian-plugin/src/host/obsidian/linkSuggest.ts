import {
	EditorSuggest,
	type Editor,
	type EditorPosition,
	type EditorSuggestContext,
	type EditorSuggestTriggerInfo,
} from "obsidian";
import type { SearchResult } from "../../api/wire";
import { placeOf, wholeNote } from "../../panel/host";
import { h } from "../../panel/shared/dom";
import { folderOf, nameOf } from "../../panel/shared/format";
import type { PanelPlugin } from "./panelPlugin";

/** What is typed before the words; Obsidian's own suggestions begin with two brackets. */
const TRIGGER = /\[\?([^[\]]{2,200})$/;
const MOST = 8;
/** The pause in typing after which is asked. */
const PAUSE_MS = 200;

/** Suggests notes by what they say while `[?words` is typed, and makes a link of the chosen one. */
export class LinkSuggest extends EditorSuggest<SearchResult> {
	private newest = 0;

	constructor(private readonly plugin: PanelPlugin) {
		super(plugin.app);
	}

	override onTrigger({ line, ch }: EditorPosition, editor: Editor): EditorSuggestTriggerInfo | null {
		const found = this.plugin.settings.suggestLinks ? TRIGGER.exec(editor.getLine(line).slice(0, ch)) : null;
		const query = found?.[1]?.trim() ?? "";
		return found && query !== "" ? { start: { line, ch: found.index }, end: { line, ch }, query } : null;
	}

	/** Nothing where more has been typed meanwhile, or nobody answers. */
	override async getSuggestions({ query }: EditorSuggestContext): Promise<SearchResult[]> {
		this.newest += 1;
		const asked = this.newest;
		await new Promise((resolve) => window.setTimeout(resolve, PAUSE_MS));
		if (asked !== this.newest) return [];
		const request = { query, limit: MOST, remember: false };
		return this.plugin.link.client.ask("POST /v1/search", request).then(
			({ results }) => (asked === this.newest ? [...results] : []),
			() => [],
		);
	}

	override renderSuggestion({ title, path, snippet }: SearchResult, element: HTMLElement): void {
		element.append(
			h("div", { text: title || nameOf(path), attrs: { dir: "auto" } }),
			h("small", {
				text: [folderOf(path), snippet].filter((part) => part !== "").join(" · "),
				attrs: { dir: "auto" },
			}),
		);
	}

	override selectSuggestion(result: SearchResult): void {
		if (!this.context) return;
		const { editor, start, end } = this.context;
		const host = this.plugin.hostFor({ hoverPopover: null });
		const isClosed = editor.getLine(end.line).charAt(end.ch) === "]"; // by the editor itself, as the bracket was opened
		editor.replaceRange(host.linkTo(wholeNote(placeOf(result))), start, {
			...end,
			ch: end.ch + (isClosed ? 1 : 0),
		});
		this.close();
	}
}
