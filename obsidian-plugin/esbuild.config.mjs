/** Builds the two hosts: the Obsidian plugin (shipped in the wheel by the daemon's CLI) and the page that the daemon serves. */
import { build } from "esbuild";
import { builtinModules } from "node:module";
import { copyFileSync, mkdirSync } from "node:fs";

const PLUGIN_FILES = "../daemon/cli/plugin_files";
const PAGE_FILES = "../daemon/api/static";

const shared = { bundle: true, minify: true, legalComments: "none", logLevel: "warning", target: "chrome110" };

mkdirSync(PLUGIN_FILES, { recursive: true });
mkdirSync(PAGE_FILES, { recursive: true });

await Promise.all([
	build({
		...shared,
		entryPoints: { main: "src/host/obsidian/main.ts", styles: "src/host/obsidian/styles.css" },
		outdir: PLUGIN_FILES,
		format: "cjs",
		external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, "node:*"],
	}),
	build({
		...shared,
		entryPoints: { page: "src/host/page/page.ts" },
		outdir: PAGE_FILES,
		format: "iife",
		target: ["chrome110", "firefox115", "safari16"],
	}),
	build({
		...shared,
		entryPoints: { page: "src/host/page/page.css" },
		outdir: PAGE_FILES,
		target: ["chrome110", "firefox115", "safari16"],
	}),
]);
copyFileSync("manifest.json", `${PLUGIN_FILES}/manifest.json`);
for (const name of ["index.html", "jay.svg"]) copyFileSync(`src/host/page/${name}`, `${PAGE_FILES}/${name}`);
