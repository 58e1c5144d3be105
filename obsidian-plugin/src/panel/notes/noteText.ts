import type { NoteReply, Passage } from "../../api/wire";
import type { MarkdownDrawer, Place } from "../host";
import { append, h } from "../shared/dom";
import { isNote, placeWords, subpathIn } from "../shared/kinds";
import { markIn, markSentence } from "./textMarks";

export interface DrawnText {
	sections: HTMLElement[];
	/** What the search matched, in the order of the text. */
	marks: HTMLElement[];
	/** What to bring into sight; null: the beginning. */
	target: HTMLElement | null;
}

/** What draws the parts of a text. */
export interface Drawing {
	drawer: MarkdownDrawer;
	/** Shows the page of a file as it looks. */
	picture: (passage: Passage) => HTMLElement | false;
}

/** Draw the passages of a note or file, what matched marked, and the sentence that matched best. */
export async function drawText(
	{ passages, kind }: NoteReply,
	place: Place,
	{ drawer, picture }: Drawing,
): Promise<DrawnText> {
	const sections: HTMLElement[] = [];
	for (const [index, passage] of passages.entries()) {
		const section = sectionOf(passage, passages[index - 1], place, kind);
		if (!isNote(kind))
			section.append(h("p", { class: "sj-reader-plain", text: passage.text, attrs: { dir: "auto" } }));
		else await drawer.draw(passage.text, section);
		sections.push(section);
	}
	const found = passages.findIndex(({ line }) => line === place.line);
	const [matched, passage] = [sections[found], passages[found]];
	const marks = sections.map((section) => markIn(section, place.matches ?? []));
	const sentence = markSentence(marks[found] ?? []);
	if (matched && passage && subpathIn(kind, passage.place) !== "") append(matched, [picture(passage)]);
	const heading = place.headings?.at(-1)?.toLowerCase();
	const below = heading && sections[passages.findIndex(({ headings }) => headings.at(-1)?.toLowerCase() === heading)];
	return { sections, marks: marks.flat(), target: sentence[0] ?? matched ?? (below || null) };
}

function sectionOf(passage: Passage, before: Passage | undefined, place: Place, kind: string | undefined): HTMLElement {
	const isMatch = passage.line === place.line;
	const heading = passage.headings.at(-1);
	const isNew = heading !== undefined && heading !== place.title && heading !== before?.headings.at(-1);
	const spot = passage.place === before?.place ? "" : placeWords(kind, passage.place);
	return h(
		"section",
		{ class: isMatch ? "sj-reader-passage is-match" : "sj-reader-passage" },
		spot !== "" && h("p", { class: "sj-reader-spot sj-muted", text: spot, attrs: { dir: "auto" } }),
		isNew && h("h3", { text: heading, attrs: { dir: "auto" } }),
	);
}
