import { describe, expect, it } from "vitest";
import { actionOf, hints, listActionOf, type Action } from "../../src/panel/search/box/keys";

const press = (key: string, held: string = "", isComposing = false): Parameters<typeof actionOf>[0] => ({
	key,
	ctrlKey: held.includes("C"),
	metaKey: held.includes("M"),
	altKey: held.includes("A"),
	shiftKey: held.includes("S"),
	isComposing,
});

describe("keys", () => {
	it.each<[key: string, held: string, isMac: boolean, want: Action | null]>([
		["ArrowDown", "", false, "next"],
		["ArrowUp", "", false, "previous"],
		["PageDown", "", false, "page-down"],
		["Enter", "", false, "open"],
		["Enter", "C", false, "open-tab"],
		["Enter", "M", true, "open-tab"],
		["Enter", "C", true, null],
		["Enter", "CA", false, "open-split"],
		["Enter", "A", false, "insert-link"],
		["Enter", "S", false, "create"],
		["c", "C", false, "copy-link"],
		["C", "CS", false, null],
		["ArrowUp", "A", false, "older-query"],
		["Escape", "", false, "leave"],
		["ArrowRight", "", false, "read"],
		["F3", "", false, "next-match"],
		["Delete", "", false, null],
		["Delete", "S", false, "dismiss"],
		["Delete", "A", false, "hide"],
		["F3", "S", false, "previous-match"],
		["a", "", false, null],
		["c", "", false, null],
	])("%s with %s (Mac: %s) is %s", (key, held, isMac, want) => {
		expect(actionOf(press(key, held), isMac)).toBe(want);
	});

	it("leaves the keys of an input method alone", () => {
		expect(actionOf(press("Enter", "", true), false)).toBeNull();
	});

	it.each<[key: string, held: string, want: Action | null]>([
		[" ", "", "read"],
		["e", "", "unfold"],
		["E", "S", null],
		["g", "C", null],
		["x", "", "dismiss"],
		["h", "", "hide"],
		["H", "S", null],
		["z", "", null],
	])("in the list, %s with %s is %s", (key, held, want) => {
		expect(listActionOf(press(key, held))).toBe(want);
	});

	it("shows in a pane of Obsidian's the list's own keys for those that Obsidian has, too", () => {
		const shown = hints(false, () => true, true).map(({ keys, label }) => `${keys.join(" ")} ${label}`);
		expect(shown).toEqual(expect.arrayContaining(["Tab E passages", "Tab L insert link", "Ctrl I why this"]));
	});

	it("shows the keys of the platform, and only what the host can do", () => {
		const plain = hints(false, (action) => action !== "insert-link");
		expect(plain.find(({ action }) => action === "open-tab")?.keys).toEqual(["Ctrl", "↵"]);
		expect(plain.some(({ action }) => action === "insert-link")).toBe(false);
		expect(hints(true, () => true).find(({ action }) => action === "insert-link")?.keys).toEqual(["⌥", "↵"]);
	});
});
