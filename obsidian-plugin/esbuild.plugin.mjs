/** Builds the Obsidian plugin: `main.js` and `styles.css` into a folder. Its own repository runs it as a program. */
import { build } from "esbuild";
import { builtinModules } from "node:module";
import { pathToFileURL } from "node:url";
import { packed, readTables, saidIn } from "./words.mjs";

/** What every bundle has in common. */
export const shared = { bundle: true, minify: true, legalComments: "none", charset: "utf8", logLevel: "warning", target: "chrome110" };

/** tables: as `readTables` gives them. */
export async function buildPlugin(outdir, tables) {
	const plugin = {
		...shared,
		entryPoints: { main: "src/host/obsidian/main.ts", styles: "src/host/obsidian/styles.css" },
		outdir,
		format: "cjs",
		external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, "node:*"],
	};
	/** Built once without words, to see which of them the plugin says. */
	const bare = await build({ ...plugin, write: false, define: { SCRUBJAY_WORDS: "null" } });
	await build({ ...plugin, define: { SCRUBJAY_WORDS: packed(tables, saidIn(bare.outputFiles.map(({ text }) => text).join(""))) } });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildPlugin(process.argv[2] ?? ".", await readTables());
