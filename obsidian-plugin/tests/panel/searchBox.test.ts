import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Suggestion } from "../../src/api/wire";
import { SearchBox } from "../../src/panel/search/box/searchBox";

/** A daemon whose answers come when the test says so. */
class SlowDaemon {
	private readonly waiting = new Map<string, (values: string[]) => void>();

	readonly suggest = (kind: string, prefix: string): Promise<Suggestion[]> =>
		new Promise((resolve) =>
			this.waiting.set(`${kind}:${prefix}`, (values) => resolve(values.map((value) => ({ value, notes: 1 })))),
		);

	async answers(question: string, ...values: string[]): Promise<void> {
		const answer = this.waiting.get(question);
		if (!answer) throw new Error(`${question} is not waiting; ${[...this.waiting.keys()].join(", ")} are`);
		answer(values);
		await Promise.resolve();
		await Promise.resolve();
	}
}

describe("completion while the daemon is slower than the typing", () => {
	let daemon: SlowDaemon;
	let box: SearchBox;
	let passedOn: string[];

	const type = (query: string): void => {
		box.input.value = query;
		box.input.dispatchEvent(new Event("input"));
	};
	const press = (key: string): void => {
		box.input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
	};
	const offered = (): (string | null)[] => {
		const menu = box.element.querySelector<HTMLElement>(".sj-suggest");
		return menu?.hidden === false
			? [...menu.querySelectorAll("span:first-child")].map((option) => option.textContent)
			: [];
	};
	const chosen = (): string | null | undefined =>
		box.element.querySelector(".sj-suggestion.is-selected span:first-child")?.textContent;

	beforeEach(() => {
		daemon = new SlowDaemon();
		passedOn = [];
		box = new SearchBox({
			placeholder: "",
			controls: "results",
			suggest: daemon.suggest,
			profiles: () => [],
			onInput: vi.fn(),
			onKey: ({ key }) => passedOn.push(key),
		});
		document.body.append(box.element);
	});
	afterEach(() => box.element.remove());

	it.each(["Tab", "Enter"])(
		"replaces with %s all that is typed, also what the answer did not know of",
		async (key) => {
			type("rollback path:Run");
			await daemon.answers("folder:Run", "Runbooks");
			type("rollback path:Runb");
			press(key);
			expect(box.query).toBe("rollback path:Runbooks ");
		},
	);

	it.each([
		["path:R", "folder:R", ["Recipes", "Runbooks"], "path:Ru", ["Runbooks"]],
		["path:R", "folder:R", ["Recipes", "Work/Runbooks"], "path:ru", ["Work/Runbooks"]],
		["path:", "folder:", ["Élevage", "Recipes"], "path:el", ["Élevage"]],
		["path:", "folder:", ["Elevage", "Recipes"], "path:él", ["Elevage"]],
		["file:R", "title:R", ["Rolling back", "Recipe"], "file:ba", ["Rolling back"]],
		["path:R", "folder:R", ["Recipes"], "path:Ru", []],
		["path:R", "folder:R", ["Runbooks"], "tag:R", []],
		["path:R", "folder:R", ["Runbooks"], "path:R R", []],
		["path:R", "folder:R", ["Runbooks"], "R", []],
	])(
		"after %s, of what was answered to it (%s: %j) it offers for %s only %j",
		async (before, question, values, after, want) => {
			type(before);
			await daemon.answers(question, ...values);
			type(after);
			expect(offered()).toEqual(want);
			if (want.length === 0) {
				press("Tab");
				expect([box.query, passedOn]).toEqual([after, ["Tab"]]);
			}
		},
	);

	it("tells nothing of what an input method still composes", async () => {
		const heard: string[] = [];
		const box = new SearchBox({
			placeholder: "",
			controls: "results",
			suggest: () => Promise.resolve(null),
			profiles: () => [],
			onInput: (query) => heard.push(query),
			onKey: () => undefined,
		});
		for (const text of ["d", "do", "dong'tai"]) {
			box.input.value = text;
			box.input.dispatchEvent(new InputEvent("input", { isComposing: true }));
		}
		box.input.value = "动态";
		box.input.dispatchEvent(new CompositionEvent("compositionend"));
		await Promise.resolve();
		expect(heard).toEqual(["动态"]);
	});

	it("tells of a Korean syllable as it is built, which is composed until the next key", () => {
		const heard: string[] = [];
		const box = new SearchBox({
			placeholder: "",
			controls: "results",
			suggest: () => Promise.resolve(null),
			profiles: () => [],
			onInput: (query) => heard.push(query),
			onKey: () => undefined,
		});
		for (const data of ["ㅂ", "벼", "병"]) {
			box.input.value = `동물 ${data}`;
			box.input.dispatchEvent(new InputEvent("input", { isComposing: true, data }));
		}
		expect(heard).toEqual(["동물 벼", "동물 병"]);
	});

	it("does not show an answer that typing has overtaken", async () => {
		type("tag:b");
		type("tag:ba");
		await daemon.answers("tag:ba", "baking");
		await daemon.answers("tag:b", "birds");
		expect(offered()).toEqual(["baking"]);
	});

	it("keeps the choice that the user moved to when the answer comes", async () => {
		type("tag:b");
		await daemon.answers("tag:b", "baking", "bakery", "birds");
		type("tag:ba");
		press("ArrowDown");
		await daemon.answers("tag:ba", "bats", "baking", "bakery");
		expect(chosen()).toBe("bakery");
	});

	it("stays closed once Escape was pressed, whatever is still to come", async () => {
		type("tag:b");
		await daemon.answers("tag:b", "baking");
		type("tag:ba");
		press("Escape");
		await daemon.answers("tag:ba", "baking");
		expect(offered()).toEqual([]);
	});
});
