/** Builds the Obsidian plugin: `main.js` and `styles.css` into a folder. Its own repository, where the sentences lie beside it, runs it as a program. */
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { pathToFileURL } from "node:url";

/** Where the `Marked` that its module makes for itself begins, with all that writes HTML behind it. */
const MARKED_ITSELF = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/;

/** Of marked only what reads Markdown: the panel makes elements itself, never HTML. */
const lexerOfMarked = {
	name: "lexer-of-marked",
	setup: ({ onLoad }) =>
		onLoad({ filter: /[\\/]marked\.esm\.js$/ }, async ({ path }) => {
			const code = await readFile(path, "utf8");
			const named = (name) => new RegExp(`\\b(\\w+) as ${name}\\b`).exec(code)?.[1];
			const [lexer, defaults, end] = [named("Lexer"), named("getDefaults"), code.search(MARKED_ITSELF)];
			if (!lexer || !defaults || end < 0)
				throw new Error("marked is written in another way: look at MARKED_ITSELF");
			return { contents: `${code.slice(0, end)}export{${lexer} as Lexer,${defaults} as getDefaults};` };
		}),
};

/** What every bundle has in common. */
export const shared = {
	bundle: true,
	minify: true,
	legalComments: "none",
	charset: "utf8",
	logLevel: "warning",
	target: "chrome110",
	plugins: [lexerOfMarked],
};

/** The licences of the libraries that are in the bundles, which each copy has to carry: all that npm does not mark as `dev`. A text that several share stands once. */
function licences() {
	const packages = Object.entries(JSON.parse(readFileSync("package-lock.json", "utf8")).packages);
	const shipped = packages.filter(([path, about]) => path !== "" && !about.dev);
	const namesOf = new Map();
	for (const [path] of shipped) {
		const whole = readFileSync(`${path}/LICENSE`, "utf8").trim();
		const text = whole.replace(/## Contribution License Agreement\n[^]*?\n(?=## )/, ""); // of who contributes, not of who copies
		namesOf.set(text, [...(namesOf.get(text) ?? []), path.slice("node_modules/".length)]);
	}
	return [...namesOf].map(([text, names]) => `/*! ${names.join(", ")}\n${text}\n*/`).join("\n");
}

/** What a script that holds libraries begins with. */
export const banner = { js: licences() };

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
		banner,
		entryPoints: { main: "src/host/obsidian/main.ts", styles: "src/host/obsidian/styles.css" },
		outdir,
		format: "cjs",
		supported: { "dynamic-import": false }, // Obsidian gives Node's modules to `require` alone
		external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, "node:*"],
	};
	/** Built once without words, to see which of them the plugin says. */
	const bare = await build({ ...plugin, write: false, define: { SCRUBJAY_ENGLISH: "null" } });
	const isSaid = saidIn(bare.outputFiles.map(({ text }) => text).join(""));
	const words = byArea(sentencesIn(english), isSaid);
	await build({ ...plugin, define: { SCRUBJAY_ENGLISH: JSON.stringify(words) } });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildPlugin(".", "sentences/en.json");
