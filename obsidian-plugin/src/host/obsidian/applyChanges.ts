import type { App, TFile } from "obsidian";
import type { Change } from "../../api/wire";
import type { Applied } from "../../panel/host";

/** A note whose text changes. */
interface Written {
	file: TFile;
	before: string;
	after: string;
}

/** A note that goes elsewhere. */
interface Moved {
	file: TFile;
	from: string;
	to: string;
}

const LINE_END = /\r\n|\r|\n/g;

/**
 * Write changes into notes of the vault by Obsidian's own means, so that its links follow and its editors show them; all or
 * none. Null where a note is not what they were made from.
 */
export async function applyChanges(app: App, changes: readonly Change[]): Promise<Applied | null> {
	const written: Written[] = [];
	const moved: Moved[] = [];
	const undo = (): Promise<boolean> => takeBack(app, written, moved);
	for (const [path, ofNote] of byPath(changes)) {
		const file = app.vault.getFileByPath(path);
		const isDone = file !== null && (await changed(app, file, ofNote, written, moved).catch(() => false));
		if (isDone) continue;
		await undo();
		return null;
	}
	return { undo };
}

async function changed(app: App, file: TFile, changes: readonly Change[], written: Written[], moved: Moved[]): Promise<boolean> {
	return (await write(app, file, changes, written)) && (await move(app, file, changes, moved));
}

/** The text with these changes; null where what they replace does not stand there, or two touch the same place. */
export function changedText(text: string, changes: readonly Change[]): string | null {
	const edits: { start: number; end: number; after: string }[] = [];
	const end = LINE_END.exec(text)?.[0] ?? "\n";
	LINE_END.lastIndex = 0;
	const inItsLineEnds = (added: string): string => added.replace(LINE_END, end);
	for (const change of changes) {
		const { action, after = "" } = change;
		if (action === "append") {
			const gap = text === "" || /[\r\n]$/.test(text) || edits.some(({ start }) => start === text.length) ? "" : end;
			edits.push({ start: text.length, end: text.length, after: gap + inItsLineEnds(/[\r\n]$/.test(after) ? after : `${after}\n`) });
		}
		if (action !== "replace") continue;
		const start = placeOf(text, change);
		if (start === null) return null;
		edits.push({ start, end: start + (change.before ?? "").length, after: inItsLineEnds(after) });
	}
	let result = "";
	let at = 0;
	for (const edit of edits.sort((a, b) => a.start - b.start)) {
		if (edit.start < at) return null;
		result += text.slice(at, edit.start) + edit.after;
		at = edit.end;
	}
	return result + text.slice(at);
}

/** Where `before` stands, in UTF-16 units: at its line and column; without a column, where it stands once in the line. */
function placeOf(text: string, { line = 0, column = 0, before = "" }: Change): number | null {
	const starts = [0, ...[...text.matchAll(LINE_END)].map((match) => match.index + match[0].length)];
	const start = starts[line - 1];
	if (start === undefined || before === "" || /[\r\n]/.test(before)) return null;
	const content = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "";
	const at = column > 0 ? Array.from(content).slice(0, column - 1).join("").length : content.indexOf(before);
	const isThere = content.startsWith(before, at) && at >= 0;
	return isThere && (column > 0 || content.indexOf(before, at + 1) < 0) ? start + at : null;
}

async function write(app: App, file: TFile, changes: readonly Change[], written: Written[]): Promise<boolean> {
	const tags = (action: Change["action"]): string[] => changes.flatMap((change) => (change.action === action ? (change.tags ?? []) : []));
	const [added, removed] = [tags("add-tags"), tags("remove-tags")];
	let isThere = true;
	let before = "";
	await app.vault.process(file, (text) => {
		before = text;
		const after = changedText(text, changes);
		isThere = after !== null;
		return after ?? text;
	});
	if (!isThere) return false;
	const note: Written = { file, before, after: await app.vault.read(file) };
	written.push(note);
	if (added.length + removed.length > 0) await app.fileManager.processFrontMatter(file, (properties: Record<string, unknown>) => retag(properties, added, removed));
	note.after = await app.vault.read(file);
	return true;
}

async function move(app: App, file: TFile, changes: readonly Change[], moved: Moved[]): Promise<boolean> {
	const to = changes.find(({ action }) => action === "move")?.to;
	if (to === undefined || to === file.path) return true;
	if (app.vault.getAbstractFileByPath(to) !== null) return false;
	const folder = to.slice(0, Math.max(0, to.lastIndexOf("/")));
	if (folder !== "" && app.vault.getFolderByPath(folder) === null) await app.vault.createFolder(folder);
	const from = file.path;
	await app.fileManager.renameFile(file, to);
	moved.push({ file, from, to });
	return true;
}

/** Tags in and out of a note's properties, whatever form they have there; others stay as they are. */
function retag(properties: Record<string, unknown>, added: readonly string[], removed: readonly string[]): void {
	const key = (tag: string): string => tag.trim().replace(/^#+/, "").toLowerCase();
	const gone = new Set(removed.map(key));
	const name = Object.keys(properties).find((each) => each.toLowerCase() === "tags") ?? "tags";
	const value = properties[name];
	const listed = Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(/[,\s]+/) : [];
	const kept = listed.filter((tag) => tag !== "" && !gone.has(key(tag)));
	const known = new Set(kept.map(key));
	properties[name] = [...kept, ...added.filter((tag) => !known.has(key(tag)))];
}

/** Says whether all could be taken back: where one has changed since, none is. */
async function takeBack(app: App, written: readonly Written[], moved: readonly Moved[]): Promise<boolean> {
	for (const { file, after } of written) if (app.vault.getFileByPath(file.path) !== file || (await app.vault.read(file)) !== after) return false;
	for (const { file, from, to } of moved) if (file.path !== to || app.vault.getAbstractFileByPath(from) !== null) return false;
	for (const { file, from } of [...moved].reverse()) await app.fileManager.renameFile(file, from);
	for (const { file, before, after } of [...written].reverse()) await app.vault.process(file, (text) => (text === after ? before : text));
	return true;
}

/** Changes by the note that they are about, in the order given. */
function byPath(changes: readonly Change[]): Map<string, Change[]> {
	const paths = new Map<string, Change[]>();
	for (const change of changes) paths.set(change.path, [...(paths.get(change.path) ?? []), change]);
	return paths;
}
