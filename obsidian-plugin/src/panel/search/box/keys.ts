/** The keyboard of the search box, as one table: what a key does, and the hint that says so. */

import { say, type WordKey } from "../../../words/say";
import type { OpenIn } from "../../host";

export type Action =
	| "next"
	| "previous"
	| "page-down"
	| "page-up"
	| "open"
	| "open-tab"
	| "open-split"
	| "insert-link"
	| "create"
	| "copy-link"
	| "unfold"
	| "why"
	| "dismiss"
	| "hide"
	| "older-query"
	| "newer-query"
	| "read"
	| "next-match"
	| "previous-match"
	| "keys"
	| "leave";

export interface KeyPress {
	key: string;
	ctrlKey: boolean;
	metaKey: boolean;
	altKey: boolean;
	shiftKey: boolean;
	isComposing: boolean;
}

interface Binding {
	key: string;
	/** "Mod" is Command on a Mac and Control elsewhere. */
	with?: readonly ("Mod" | "Alt" | "Shift")[];
	action: Action;
	/** What the list of keys says, in this order; left out for what everybody tries anyway. */
	hint?: Extract<WordKey, `key.${string}`>;
}

const BINDINGS: readonly Binding[] = [
	{ key: "ArrowDown", action: "next", hint: "key.next" },
	{ key: "ArrowUp", action: "previous" },
	{ key: "PageDown", action: "page-down" },
	{ key: "PageUp", action: "page-up" },
	{ key: "Enter", action: "open", hint: "key.open" },
	{ key: "Enter", with: ["Mod"], action: "open-tab", hint: "key.open-tab" },
	{ key: "Enter", with: ["Mod", "Alt"], action: "open-split", hint: "key.open-split" },
	{ key: "Enter", with: ["Alt"], action: "insert-link", hint: "key.insert-link" },
	{ key: "Enter", with: ["Shift"], action: "create", hint: "key.create" },
	{ key: "c", with: ["Mod"], action: "copy-link", hint: "key.copy-link" },
	{ key: "e", with: ["Mod"], action: "unfold", hint: "key.unfold" },
	{ key: "i", with: ["Mod"], action: "why", hint: "key.why" },
	{ key: "Delete", with: ["Shift"], action: "dismiss", hint: "key.dismiss" },
	{ key: "Delete", with: ["Alt"], action: "hide", hint: "key.hide" },
	{ key: "ArrowRight", action: "read", hint: "key.read" },
	{ key: "F3", action: "next-match", hint: "key.next-match" },
	{ key: "F3", with: ["Shift"], action: "previous-match" },
	{ key: "ArrowUp", with: ["Alt"], action: "older-query", hint: "key.older-query" },
	{ key: "ArrowDown", with: ["Alt"], action: "newer-query" },
	{ key: "Escape", action: "leave", hint: "key.leave" },
];

/** While the list of results itself has the focus, nothing is typed: single keys will do. */
const IN_LIST: Readonly<Record<string, Action>> = {
	" ": "read",
	"?": "keys",
	e: "unfold",
	i: "why",
	l: "insert-link",
	x: "dismiss",
	h: "hide",
};

/** Keys of these are Obsidian's own, too: in its panes they stay Obsidian's, and the list's single keys stand in for them. */
const CLASHING: readonly Action[] = ["unfold", "insert-link"];

/** What goes on while a key is held down; all else is done once, by the press. */
const REPEATED: readonly (Action | null)[] = [
	"next",
	"previous",
	"page-down",
	"page-up",
	"next-match",
	"previous-match",
	"older-query",
	"newer-query",
];

/** Does a key that is held down no longer do anything? */
export function isSpent({ repeat }: Pick<KeyboardEvent, "repeat">, action: Action | null): boolean {
	return repeat && !REPEATED.includes(action);
}

/** Is it done by a key that gives way to Obsidian's own in a pane? */
export function givesWay(action: Action | null): boolean {
	return action !== null && CLASHING.includes(action);
}

/** What a single key asks for while the list has the focus. */
export function listActionOf({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: KeyPress): Action | null {
	if (ctrlKey || metaKey || altKey || isComposing || (shiftKey && key !== "?")) return null;
	return IN_LIST[key.toLowerCase()] ?? null;
}

/** What a key press asks for; null for text, for other shortcuts, and while an input method composes. */
export function actionOf(press: KeyPress, isMac: boolean): Action | null {
	if (press.isComposing) return null;
	const mod = isMac ? press.metaKey : press.ctrlKey;
	const other = isMac ? press.ctrlKey : press.metaKey;
	if (other) return null;
	const found = BINDINGS.find((binding) => {
		const keys = binding.with ?? [];
		return (
			binding.key === (press.key.length === 1 ? press.key.toLowerCase() : press.key) &&
			keys.includes("Mod") === mod &&
			keys.includes("Alt") === press.altKey &&
			keys.includes("Shift") === press.shiftKey
		);
	});
	return found?.action ?? null;
}

/** Alt and a digit takes what stands under that number, from 1 on; null for every other key. By the key's place: with Alt, a Mac types another sign. */
export function offerOf({
	code,
	altKey,
	ctrlKey,
	metaKey,
	shiftKey,
	isComposing,
}: Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "isComposing">): number | null {
	if (!altKey || ctrlKey || metaKey || shiftKey || isComposing) return null;
	const digit = /^Digit([1-9])$/.exec(code)?.[1];
	return digit === undefined ? null : Number(digit);
}

/** Where a click opens a note, by the keys that go with Enter. */
export function placeOfClick(event: MouseEvent, isMac: boolean): OpenIn {
	const mod = isMac ? event.metaKey : event.ctrlKey;
	if (mod && event.altKey) return "split";
	return mod || event.button === 1 ? "tab" : "here";
}

export interface Hint {
	keys: readonly string[];
	label: string;
	action: Action;
}

const MAC_SIGNS = { Mod: "⌘", Alt: "⌥", Shift: "⇧" };

/** The keys to show to this user, for what the host can do. inPane: those that give way are shown as the list's own. */
export function hints(isMac: boolean, can: (action: Action) => boolean, inPane = false): Hint[] {
	const signs = isMac ? MAC_SIGNS : { Mod: say("key.Ctrl"), Alt: say("key.Alt"), Shift: say("key.Shift") };
	const names: Record<string, string> = {
		Enter: "↵",
		ArrowDown: "↑↓",
		ArrowUp: "↑↓",
		ArrowRight: "→",
		Escape: say("key.Esc"),
	};
	return BINDINGS.flatMap(({ key, with: held = [], action, hint }) => {
		if (hint === undefined || !can(action)) return [];
		const single = Object.keys(IN_LIST).find((listKey) => IN_LIST[listKey] === action);
		if (inPane && givesWay(action) && single)
			return [{ keys: ["Tab", single.toUpperCase()], label: say(hint), action }];
		const name = names[key] ?? (key.length > 1 ? key.slice(0, 3) : key.toUpperCase());
		return [{ keys: [...held.map((part) => signs[part]), name], label: say(hint), action }];
	});
}
