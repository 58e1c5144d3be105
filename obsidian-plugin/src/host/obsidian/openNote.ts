import { FileView, MarkdownView, type App, type TFile, type WorkspaceLeaf } from "obsidian";
import type { OpenIn, Place } from "../../panel/host";
import { isNote, subpathIn } from "../../panel/shared/kinds";

/** Where a text to flash begins and ends, in UTF-16 units of the file. */
export interface Match {
	content: string;
	matches: [start: number, end: number][];
}

/** The first of `texts` at or after the 1-based line; null where the note has changed and none is there any more. */
function findMatch(content: string, texts: readonly string[], line: number): Match | null {
	const from = offsetOfLine(content, line);
	for (const text of texts) {
		const start = content.indexOf(text, from);
		if (start >= 0) return { content, matches: [[start, start + text.length]] };
	}
	return null;
}

/** The offset at which a 1-based line begins; the end of a shorter text. */
function offsetOfLine(content: string, line: number): number {
	let offset = 0;
	for (let passed = 1; passed < line; passed += 1) {
		const next = content.indexOf("\n", offset);
		if (next < 0) return content.length;
		offset = next + 1;
	}
	return offset;
}

/** Open the note, scroll to the place and flash the match there; a file of another kind, at the page where it has pages. */
export async function openNote(app: App, file: TFile, place: Place, where: OpenIn): Promise<void> {
	const leaf = leafFor(app, where);
	if (!isNote(place.kind)) {
		const subpath = subpathIn(place.kind, place.spot);
		return leaf.openFile(file, { active: true, ...(subpath === "" ? {} : { eState: { subpath } }) });
	}
	const { line, matches } = place;
	const match = line === undefined ? null : findMatch(await app.vault.cachedRead(file), matches ?? [], line);
	const eState = match ? { match } : line === undefined ? undefined : { line: line - 1 };
	await leaf.openFile(file, { active: true, ...(eState ? { eState } : {}) });
}

function leafFor(app: App, where: OpenIn): WorkspaceLeaf {
	if (where === "tab") return app.workspace.getLeaf("tab");
	if (where === "split") return app.workspace.getLeaf("split");
	return app.workspace.getLeaf(false);
}

/** The Markdown view that the user last worked in, even while a pane of ours has the focus. */
export function lastMarkdownView(app: App): MarkdownView | null {
	const view = app.workspace.getMostRecentLeaf()?.view;
	return view instanceof MarkdownView ? view : null;
}

/** The file of the view that the user last worked in; null where it has none. */
export function lastFile(app: App): TFile | null {
	const view = app.workspace.getMostRecentLeaf()?.view;
	return view instanceof FileView ? view.file : null;
}
