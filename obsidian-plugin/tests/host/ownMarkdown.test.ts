import { describe, expect, it } from "vitest";
import { drawsFromVaultAlone } from "../../src/host/obsidian/ownMarkdown";
import { DISGUISED_PICTURES } from "../helpers/disguises";

describe("what Obsidian draws of the open vault", () => {
	it.each([
		"![[bird.png]] ![[Birds/Grauer Reiher.jpg|200]] ![A bird](birds/bird.png)",
		"[site](https://a.example) <https://a.example/b>",
		"a < b and c > d",
		"<b>bold</b><br/>x<sub>2</sub>",
		"$e^{i\\pi}$",
		"```dataview\nlist\n```",
	])("is %s", (text) => {
		expect(drawsFromVaultAlone(text)).toBe(true);
	});

	it.each([
		"![[Plan]]",
		"![x][bird]",
		"![bird](a b.png)\n\n[bird]: https://a.example/b.png",
		"![x](//a.example/b.png)",
		"!<b>[x](https://a.example/b.png)",
		"$\\style{background:url(https://a.example)}{x}$",
		"<div>x</div>",
	])("is not %s", (text) => {
		expect(drawsFromVaultAlone(text)).toBe(false);
	});

	it("is none of the disguises of a picture", () => {
		expect(DISGUISED_PICTURES.filter(({ text }) => drawsFromVaultAlone(text))).toEqual([]);
	});
});
