import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCES = join(__dirname, "../src");
const IMPORTED = /^(?:import|export)\b[^;]*?from "(\.[^"]+)";/gm;

/** What each file of `folder` imports from the others, types too. */
function importsIn(folder: string): Map<string, string[]> {
	const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
	const existing = new Set(files.map((file) => normalize(file)));
	const resolved = (from: string, path: string): string => {
		const target = join(dirname(from), path);
		return existing.has(`${target}.ts`) ? `${target}.ts` : join(target, "index.ts");
	};
	return new Map(
		[...existing].map((file) => {
			const text = readFileSync(join(folder, file), "utf8");
			return [file, [...text.matchAll(IMPORTED)].map(([, path = ""]) => resolved(file, path))];
		}),
	);
}

/** Ways through the imports that come back to where they began; of each file, the first that is met. */
function cycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
	const done = new Set<string>();
	const found: string[] = [];
	const visit = (file: string, way: readonly string[]): void => {
		if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(" → "));
		if (way.includes(file) || done.has(file)) return;
		for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
		done.add(file);
	};
	for (const file of imports.keys()) visit(file, []);
	return found;
}

describe("Imports of the sources", () => {
	it("are all found, so that a cycle cannot hide", () => {
		const imports = importsIn(SOURCES);
		expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([]);
		expect(imports.get(join("host", "obsidian", "main.ts"))?.length).toBeGreaterThan(10);
	});

	it("do not come back to where they began, not even by types", () => {
		expect(cycles(importsIn(SOURCES))).toEqual([]);
	});
});

describe("The search for cycles", () => {
	it.each([
		["a file that imports itself", { a: ["a"] }, ["a → a"]],
		["a cycle behind a shared file", { a: ["b", "c"], b: ["c"], c: ["b"] }, ["b → c → b"]],
		["two ways to one file", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, []],
	])("%s", (_, imports, expected) => {
		expect(cycles(new Map(Object.entries<string[]>(imports)))).toEqual(expected);
	});
});
