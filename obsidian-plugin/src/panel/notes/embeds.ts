import type { NoteReply, Passage } from "../../api/wire";
import { h } from "../shared/dom";
import { renderMarkdown } from "./markdown";

/** Another note to be shown where it is embedded, or null. */
export type FindNote = (name: string) => Promise<Pick<NoteReply, "passages"> | null>;

/** Of one passage; more than these are named only. */
const MOST_EMBEDS = 8;

/** Put embedded notes in their places, one level deep; those that are not found stay named. */
export async function fillEmbeds(section: HTMLElement, find: FindNote): Promise<void> {
	const places = [...section.querySelectorAll<HTMLElement>("[data-embed]")].slice(0, MOST_EMBEDS);
	await Promise.all(
		places.map(async (place) => {
			const { embed = "", heading } = place.dataset;
			const note = await find(embed).catch(() => null);
			const wanted = partBelow(note?.passages ?? [], heading);
			if (wanted.length === 0) return;
			const name = h("button", {
				class: "sj-wikilink",
				text: heading === undefined ? embed : `${embed} › ${heading}`,
				attrs: { "data-note": embed },
			});
			place.replaceChildren(name, ...wanted.flatMap(renderMarkdown));
			place.classList.add("is-filled");
		}),
	);
}

/** The texts below a heading: short sections share a passage, so that the heading may stand in the middle of one. All of them, where no heading is named or none is called so. */
export function partBelow(
	passages: readonly Pick<Passage, "headings" | "text">[],
	heading: string | undefined,
): string[] {
	const all = passages.map(({ text }) => text);
	if (heading === undefined) return all;
	const cut = all.map((text) => sectionIn(text, heading)).filter((text) => text !== null);
	if (cut.length > 0) return cut;
	const below = passages.filter(({ headings }) => headings.includes(heading)).map(({ text }) => text);
	return below.length > 0 ? below : all;
}

/** From a heading's line to the next heading that is not below it; null where the text has no such line. */
function sectionIn(text: string, heading: string): string | null {
	const lines = text.split("\n");
	const depths = lines.map((line) => /^(#{1,6})[ \t]+/.exec(line)?.[1]?.length ?? null);
	const start = lines.findIndex(
		(line, index) => depths[index] !== null && line.replace(/^#+[ \t]+/, "").trim() === heading,
	);
	if (start < 0) return null;
	const depth = depths[start] ?? 1;
	const end = depths.findIndex((other, index) => index > start && other !== null && other <= depth);
	return lines.slice(start + 1, end < 0 ? undefined : end).join("\n");
}
