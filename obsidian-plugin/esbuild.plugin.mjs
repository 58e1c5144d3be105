/** Builds the Obsidian plugin: `main.js` and `styles.css` into a folder. Its own repository, where the sentences lie beside it, runs it as a program. */
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { pathToFileURL } from "node:url";

/** What every bundle has in common. */
export const shared = { bundle: true, minify: true, charset: "utf8", logLevel: "warning", target: "chrome110" };

/** What the panel says in one language, by key: all but what only the daemon says. */
export function sentencesIn(file) {
	const { tray, setup, ...sections } = JSON.parse(readFileSync(file, "utf8"));
	return Object.assign({}, ...Object.values(sections));
}

/** What the daemon says in English itself (`told` of `src/panel/shared/told.ts`), by the beginnings of the keys for other languages. */
const TOLD = ["error.", "failure.", "found.", "reason.", "unanswered.", "warning."];

/** Says of a key whether bundled code says it: by its name, or as one of several that begin alike. */
function saidIn(code) {
	const begins = [...code.matchAll(/`([A-Za-z]+\.(?:[\w-]+\.)?)\$\{/g)]
		.map(([, begin]) => begin)
		.filter((begin) => !TOLD.includes(begin));
	return (key) => code.includes(`"${key}"`) || begins.some((begin) => key.startsWith(begin));
}

/** Those that are said, as `Areas` of `src/host/obsidian/words.ts`: what stands before a key's first point is written once. */
function byArea(sentences, isSaid) {
	const areas = {};
	for (const [key, sentence] of Object.entries(sentences).filter(([each]) => isSaid(each))) {
		const [area, ...rest] = key.split(".");
		(areas[area] ??= {})[rest.join(".")] = sentence;
	}
	return areas;
}

/** english: the file of the sentences that the plugin speaks before the daemon has told others. */
export async function buildPlugin(outdir, english) {
	const plugin = {
		...shared,
		entryPoints: { main: "src/host/obsidian/main.ts", styles: "src/host/obsidian/styles.css" },
		outdir,
		format: "cjs",
		supported: { "dynamic-import": false }, // Obsidian gives Node's modules to `require` alone
		external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, "node:*"],
	};
	/** Built once without words, to see which of them the plugin says. */
	const told = JSON.stringify(TOLD);
	const bare = await build({ ...plugin, write: false, define: { SCRUBJAY_ENGLISH: "null", SCRUBJAY_TOLD: told } });
	const isSaid = saidIn(bare.outputFiles.map(({ text }) => text).join(""));
	const words = byArea(sentencesIn(english), isSaid);
	await build({ ...plugin, define: { SCRUBJAY_ENGLISH: JSON.stringify(words), SCRUBJAY_TOLD: told } });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildPlugin(".", "sentences/en.json");
