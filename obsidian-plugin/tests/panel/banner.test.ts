import { describe, expect, it, vi } from "vitest";
import { Banner } from "../../src/panel/shared/banner";

describe("a banner", () => {
	const words = (banner: Banner): (string | null)[] =>
		[...banner.element.children].map(({ textContent }) => textContent);
	const press = (banner: Banner, label: string): void =>
		[...banner.element.querySelectorAll("button")].find(({ textContent }) => textContent === label)?.click();

	it("is no line where there is nothing to say", () => {
		const banner = new Banner("sj-banner", "alert");
		expect(banner.element.childNodes.length).toBe(0);
		banner.show([{ text: "Locked." }]);
		banner.show([]);
		expect(banner.element.childNodes.length).toBe(0);
	});

	it("shows the most pressing message alone, how many others there are, and turns to them", () => {
		const [unlock, mend] = [vi.fn(), vi.fn()];
		const messages = [
			{ text: "Locked.", action: { label: "Unlock", act: unlock } },
			{ text: "Showing results for bread.", action: { label: "As typed", act: mend } },
			{ text: "None is likely." },
		];
		const banner = new Banner("sj-banner", "alert");
		document.body.append(banner.element);
		banner.show(messages);
		expect(words(banner)).toEqual(["Locked.", "Unlock", "2 more"]);
		press(banner, "Unlock");
		banner.element.querySelector<HTMLElement>("button:last-child")?.focus();
		press(banner, "2 more");
		expect(words(banner)).toEqual(["Showing results for bread.", "As typed", "2 more"]);
		expect(document.activeElement?.textContent).toBe("2 more");
		press(banner, "As typed");
		banner.show([...messages]); // told once more, as after each status
		expect(words(banner)[0]).toBe("Showing results for bread.");
		press(banner, "2 more");
		expect(words(banner)).toEqual(["None is likely.", "2 more"]);
		press(banner, "2 more");
		expect(words(banner)[0]).toBe("Locked.");
		expect([unlock.mock.calls.length, mend.mock.calls.length]).toEqual([1, 1]);
		banner.element.remove();
	});

	it("does what was told last under the same words", () => {
		const [before, now] = [vi.fn(), vi.fn()];
		const banner = new Banner("sj-banner", "alert");
		banner.show([{ text: "Away.", action: { label: "Try again", act: before } }]);
		banner.show([{ text: "Away.", action: { label: "Try again", act: now } }]);
		press(banner, "Try again");
		expect([before.mock.calls.length, now.mock.calls.length]).toEqual([0, 1]);
	});

	it("does what was pressed, whatever is told before the release", async () => {
		const [before, now] = [vi.fn(), vi.fn()];
		const banner = new Banner("sj-banner", "alert");
		document.body.append(banner.element);
		banner.show([{ text: "Away.", action: { label: "Try again", act: before } }]);
		const held = banner.element.querySelector("button");
		held?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
		banner.show([{ text: "Locked.", action: { label: "Unlock", act: now } }]);
		document.dispatchEvent(new MouseEvent("mouseup"));
		held?.click();
		expect([held?.isConnected, before.mock.calls.length, now.mock.calls.length]).toEqual([true, 1, 0]);
		await vi.waitFor(() => expect(words(banner)).toEqual(["Locked.", "Unlock"]));
		banner.element.remove();
	});
});
