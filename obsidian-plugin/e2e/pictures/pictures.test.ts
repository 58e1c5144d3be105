import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "../../src/words/keys";
import { MISSING_BROWSER } from "../support/browser";
import { MISSING_DAEMON, RunningDaemon } from "../support/daemon";
import { burst, overflowOf, walk, wear } from "../support/looks";
import { leftInEnglish, readTexts } from "../support/readings";
import { SCHEMES, SITUATIONS, SIZES } from "../support/states";

const missing = MISSING_DAEMON ?? MISSING_BROWSER;
/** One folder per run: `LANGUAGE/STATE-WIDTH-SCHEME.jpg`, and a sheet of all pictures of each state. */
const PICTURES = join(import.meta.dirname, "../../../build/pictures");
const QUALITY = 75;
/** What `make pictures` was asked for; nothing means all. */
const chosen = <Value extends string | number>(variable: string, all: readonly Value[]): readonly Value[] => {
	const asked = process.env[variable]?.split(/[ ,]+/).filter((word) => word !== "") ?? [];
	return asked.length === 0 ? all : all.filter((value) => asked.includes(String(value)));
};
const LANGUAGES_TAKEN = chosen("LANGUAGES", LANGUAGES);
const WIDTHS_TAKEN = chosen(
	"WIDTHS",
	SIZES.map(({ width }) => width),
);

/** The file of a picture, below the folder of the run. */
function pictureOf(language: string, state: string, width: number, scheme: string): string {
	return `${language}/${state}-${width}-${scheme}.jpg`;
}

/** All pictures of a state on one page: a row for each language and scheme, from narrow to wide. */
function sheetOf(state: string): string {
	const rows = LANGUAGES.flatMap((language) =>
		SCHEMES.map((scheme) => {
			const pictures = SIZES.map(({ width }) => {
				const file = pictureOf(language, state, width, scheme);
				return `<a href="${file}"><img loading="lazy" src="${file}" alt="${width} px" width="${width / 2}"></a>`;
			});
			return `<h2>${language}, ${scheme}</h2><div>${pictures.join("")}</div>`;
		}),
	);
	return page(state, rows.join("\n"));
}

function page(title: string, body: string): string {
	return `<!doctype html><meta charset="utf-8"><title>${title}</title><style>
body { font: 14px sans-serif; background: #888 } div { display: flex; gap: 12px; align-items: start } h2 { font-size: 14px }
</style><h1>${title}</h1>\n${body}\n`;
}

describe.skipIf(missing !== null)(`pictures of every state${missing ? ` (skipped: ${missing})` : ""}`, () => {
	let daemon: RunningDaemon;
	let looks = 0;

	beforeAll(async () => {
		for (const language of LANGUAGES_TAKEN) {
			rmSync(join(PICTURES, language), { recursive: true, force: true });
			mkdirSync(join(PICTURES, language), { recursive: true });
		}
		const states = SITUATIONS.flatMap((situation) => situation.states);
		for (const { name } of states) writeFileSync(join(PICTURES, `${name}.html`), sheetOf(name));
		const list = states.map(({ name }) => `<li><a href="${name}.html">${name}</a>`);
		writeFileSync(join(PICTURES, "index.html"), page("States of the page", `<ul>${list.join("\n")}</ul>`));
		daemon = await RunningDaemon.start([]);
	});
	afterAll(async () => {
		await daemon?.remove();
		process.stdout.write(`axe found nothing in ${looks} states (view and condition, by scheme and width).\n`);
		process.stdout.write(`Pictures: ${join(PICTURES, "index.html")}\n`);
	});

	it.each(SITUATIONS)(
		"are taken, axe finds nothing, nothing bursts and nothing stays English: $name",
		async (situation) => {
			await walk(daemon, situation, LANGUAGES_TAKEN, async (state, watched, language) => {
				const { page: shown } = watched;
				if (language !== "en")
					expect
						.soft(leftInEnglish(await readTexts(shown), language), `${state.name} (${language})`)
						.toEqual([]);
				for (const size of SIZES.filter(({ width }) => WIDTHS_TAKEN.includes(width)))
					for (const scheme of SCHEMES) {
						await wear(shown, { colorScheme: scheme }, size);
						const look = `${state.name}, ${language}, ${size.width} px, ${scheme}`;
						await shown.screenshot({
							path: join(PICTURES, pictureOf(language, state.name, size.width, scheme)),
							type: "jpeg",
							quality: QUALITY,
							animations: "disabled",
						});
						expect.soft(await overflowOf(shown), look).toBe(0);
						expect.soft(await burst(shown), look).toEqual([]);
						if (language !== "en") continue;
						const violations = await watched.violations();
						expect.soft(violations, look).toEqual([]);
						looks += violations.length === 0 ? 1 : 0;
					}
			});
		},
	);
});
