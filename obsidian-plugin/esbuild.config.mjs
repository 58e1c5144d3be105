/** Builds the two hosts: the Obsidian plugin (shipped in the wheel by the daemon's CLI) and the page that the daemon serves. */
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { buildPlugin, sentencesIn, shared } from "./esbuild.plugin.mjs";

const SENTENCES = "../daemon/sentences";
const PLUGIN_FILES = "../daemon/cli/plugin_files";
const PAGE_FILES = "../daemon/server/static";

mkdirSync(PLUGIN_FILES, { recursive: true });
rmSync(PAGE_FILES, { recursive: true, force: true });
mkdirSync(PAGE_FILES, { recursive: true });

/** `words-de.json` and its likes: the page loads one of them, and the plugin asks the daemon for one. */
for (const file of readdirSync(SENTENCES).filter((name) => name.endsWith(".json")))
	writeFileSync(`${PAGE_FILES}/words-${file}`, JSON.stringify(sentencesIn(`${SENTENCES}/${file}`)));

await Promise.all([
	buildPlugin(PLUGIN_FILES, `${SENTENCES}/en.json`),
	build({
		...shared,
		entryPoints: { page: "src/host/page/page.ts" },
		outdir: PAGE_FILES,
		format: "esm",
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
for (const name of ["index.html", "jay.svg", "manifest.webmanifest"])
	copyFileSync(`src/host/page/${name}`, `${PAGE_FILES}/${name}`);
