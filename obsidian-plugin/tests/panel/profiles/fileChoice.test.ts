import { describe, expect, it } from "vitest";
import { FileChoice } from "../../../src/panel/profiles/fileChoice";

const fields = (choice: FileChoice): HTMLInputElement[] => [...choice.element.querySelectorAll("input")];
const labelled = (choice: FileChoice, label: string): HTMLInputElement | undefined =>
	[...choice.element.querySelectorAll("label")].find((each) => each.textContent === label)?.querySelector("input") ??
	undefined;

describe("which files are read", () => {
	it("is ticked as it is now, all documents where nothing was chosen", () => {
		expect(fields(new FileChoice({})).map(({ checked }) => checked)).toEqual([
			...Array<boolean>(11).fill(true),
			true,
			false,
		]);
		expect(
			fields(new FileChoice({ kinds: ["pdf"], attachments: false, ocr: true })).filter(({ checked }) => checked),
		).toHaveLength(2);
	});

	it("changes with a tick, and leaves what has none as it was", () => {
		const choice = new FileChoice({ kinds: ["pdf", "sheet"], code: [".py"], attachments: true, ocr: false });
		labelled(choice, "PDF")?.click();
		labelled(choice, "Obsidian's own folder for attachments, too")?.click();
		expect(choice.chosen).toEqual({ kinds: ["sheet"], code: [".py"], attachments: false, ocr: false });
	});
});
