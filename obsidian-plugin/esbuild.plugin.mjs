/** Builds the Obsidian plugin: `main.js` and `styles.css` into a folder. Its own repository, where the sentences lie beside it, runs it as a program. */
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { pathToFileURL } from "node:url";
import { packed, readTables, saidIn } from "./words.mjs";

/** What every bundle has in common. */
export const shared = {
	bundle: true,
	minify: true,
	legalComments: "none",
	charset: "utf8",
	logLevel: "warning",
	target: "chrome110",
};

/** The licences of the libraries that are in the bundles, which each copy has to carry: all that npm does not mark as `dev`. A text that several share stands once. */
function licences() {
	const packages = Object.entries(JSON.parse(readFileSync("package-lock.json", "utf8")).packages);
	const shipped = packages.filter(([path, about]) => path !== "" && !about.dev);
	const namesOf = new Map();
	for (const [path] of shipped) {
		const text = readFileSync(`${path}/LICENSE`, "utf8").trim();
		namesOf.set(text, [...(namesOf.get(text) ?? []), path.slice("node_modules/".length)]);
	}
	return [...namesOf].map(([text, names]) => `/*! ${names.join(", ")}\n${text}\n*/`).join("\n");
}

/** What a script that holds libraries begins with. */
export const banner = { js: licences() };

/** tables: as `readTables` gives them. */
export async function buildPlugin(outdir, tables) {
	const plugin = {
		...shared,
		banner,
		entryPoints: { main: "src/host/obsidian/main.ts", styles: "src/host/obsidian/styles.css" },
		outdir,
		format: "cjs",
		external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, "node:*"],
	};
	/** Built once without words, to see which of them the plugin says. */
	const bare = await build({ ...plugin, write: false, define: { SCRUBJAY_WORDS: "null" } });
	await build({
		...plugin,
		define: { SCRUBJAY_WORDS: packed(tables, saidIn(bare.outputFiles.map(({ text }) => text).join(""))) },
	});
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildPlugin(".", readTables("sentences"));
