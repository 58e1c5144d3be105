/** Builds the two hosts: the Obsidian plugin (shipped in the wheel by the daemon's CLI) and the page that the daemon serves. */
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { buildPlugin, shared } from "./esbuild.plugin.mjs";
import { readTables, writeForPage } from "./words.mjs";

const PLUGIN_FILES = "../daemon/cli/plugin_files";
const PAGE_FILES = "../daemon/api/static";

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

const banner = { js: licences() };

mkdirSync(PLUGIN_FILES, { recursive: true });
mkdirSync(PAGE_FILES, { recursive: true });

const tables = await readTables();
writeForPage(tables, PAGE_FILES);

await Promise.all([
	buildPlugin(PLUGIN_FILES, tables),
	build({
		...shared,
		banner,
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
for (const name of ["index.html", "jay.svg", "manifest.webmanifest"]) copyFileSync(`src/host/page/${name}`, `${PAGE_FILES}/${name}`);
