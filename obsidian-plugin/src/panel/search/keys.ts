/** The keyboard of the search box, as one table: what a key does, and the hint that says so. */

import type { OpenIn } from "../host";

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
	| "graph"
	| "older-query"
	| "newer-query"
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
	/** Shown below the results, in this order; left out for what everybody tries anyway. */
	hint?: string;
}

const BINDINGS: readonly Binding[] = [
	{ key: "ArrowDown", action: "next", hint: "move" },
	{ key: "ArrowUp", action: "previous" },
	{ key: "PageDown", action: "page-down" },
	{ key: "PageUp", action: "page-up" },
	{ key: "Enter", action: "open", hint: "open" },
	{ key: "Enter", with: ["Mod"], action: "open-tab", hint: "new tab" },
	{ key: "Enter", with: ["Mod", "Alt"], action: "open-split" },
	{ key: "Enter", with: ["Alt"], action: "insert-link", hint: "insert link" },
	{ key: "Enter", with: ["Shift"], action: "create", hint: "create note" },
	{ key: "c", with: ["Mod"], action: "copy-link", hint: "copy link" },
	{ key: "e", with: ["Mod"], action: "unfold", hint: "passages" },
	{ key: "i", with: ["Mod"], action: "why", hint: "why this" },
	{ key: "g", with: ["Mod"], action: "graph", hint: "links" },
	{ key: "ArrowUp", with: ["Alt"], action: "older-query" },
	{ key: "ArrowDown", with: ["Alt"], action: "newer-query" },
	{ key: "Escape", action: "leave", hint: "leave" },
];

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
export function offerOf({ code, altKey, ctrlKey, metaKey, shiftKey, isComposing }: Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "isComposing">): number | null {
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
	keys: string[];
	label: string;
	action: Action;
}

const MAC_SIGNS: Record<string, string> = { Mod: "⌘", Alt: "⌥", Shift: "⇧" };
const PLAIN_SIGNS: Record<string, string> = { Mod: "Ctrl" };
const KEY_SIGNS: Record<string, string> = { Enter: "↵", ArrowDown: "↑↓", Escape: "Esc" };

/** The keys to show to this user, for what the host can do. */
export function hints(isMac: boolean, can: (action: Action) => boolean): Hint[] {
	const signs = isMac ? MAC_SIGNS : PLAIN_SIGNS;
	return BINDINGS.flatMap(({ key, with: held = [], action, hint }) => {
		if (hint === undefined || !can(action)) return [];
		const name = KEY_SIGNS[key] ?? key.toUpperCase();
		return [{ keys: [...held.map((part) => signs[part] ?? part), name], label: hint, action }];
	});
}
