import type { App, TFile } from "obsidian";
import type { Change, FileDiff } from "../../api/wire";
import type { Applied, Shown } from "../../panel/host";
import { LINE_END, shownProperties, type Edit } from "./shownProperties";

/** What is to become of a note. */
interface Planned {
	file: TFile;
	before: string;
	after: string;
	/** Where it goes; its path where it stays. */
	to: string;
}

/** A note whose text changed. */
interface Written {
	file: TFile;
	before: string;
	/** As it stands once all is done: Obsidian rewrites links when a note moves. */
	after: string;
}

/** A note that went elsewhere. */
interface Moved {
	file: TFile;
	from: string;
	to: string;
}

/** Where links lead. */
const TARGET = /\[\[[^\]\n]*\]\]|\]\([^)\n]*\)/g;

/**
 * Write changes into notes of the vault by Obsidian's own means, so that its links follow and its editors show them. All notes
 * are looked at before the first is written. Null where one is not what the changes were made from: nothing is written then.
 */
export async function applyChanges(app: App, shown: Shown): Promise<Applied | null> {
	const plan = await planned(app, shown);
	if (plan === null) return null;
	const done = new Done(app);
	const wayBack = { touched: () => done.touched, undo: () => done.undo() };
	if (await done.write(plan).catch(() => false)) return { stays: [], ...wayBack };
	await done.putBack();
	return done.paths.length === 0 ? null : { stays: done.paths, ...wayBack };
}

/** What is to become of each note; null where one of them can't be what was shown. */
async function planned(app: App, { changes, files }: Shown): Promise<Planned[] | null> {
	const plan: Planned[] = [];
	for (const [path, ofNote] of byPath(changes)) {
		const file = app.vault.getFileByPath(path);
		const before = file && (await app.vault.read(file));
		const after =
			before === null
				? null
				: changedText(
						before,
						ofNote,
						files.find((each) => each.path === path),
					);
		const to = ofNote.find(({ action }) => action === "move")?.to ?? path;
		const isTaken =
			to !== path && (app.vault.getAbstractFileByPath(to) !== null || plan.some((each) => each.to === to));
		if (file === null || before === null || after === null || isTaken) return null;
		plan.push({ file, before, after, to });
	}
	return plan;
}

/** What was written and moved so far, and how to take it back. */
class Done {
	private written: Written[] = [];
	private moved: Moved[] = [];

	constructor(private readonly app: App) {}

	/** The notes that are not as they were. */
	get paths(): string[] {
		return [...new Set([...this.written, ...this.moved].map(({ file }) => file.path))];
	}

	/** Those, and where they were before they moved. */
	get touched(): string[] {
		return [...new Set([...this.paths, ...this.moved.map(({ from }) => from)])];
	}

	/** Says whether all of it could be done. */
	async write(plan: readonly Planned[]): Promise<boolean> {
		for (const { file, before, after } of plan)
			if (before !== after && !(await this.change(file, before, after))) return false;
		for (const { file, to } of plan) if (to !== file.path) await this.move(file, to);
		for (const note of this.written) {
			const text = await this.app.vault.read(note.file);
			if (isSameBesideLinks(text, note.after)) note.after = text;
		}
		return true;
	}

	/** Take all back. Says whether it could: where one has changed since, all stay as they are. */
	async undo(): Promise<boolean> {
		const { vault } = this.app;
		for (const { file, after } of this.written)
			if (vault.getFileByPath(file.path) !== file || (await vault.read(file)) !== after) return false;
		for (const { file, from, to } of this.moved)
			if (file.path !== to || vault.getAbstractFileByPath(from) !== null) return false;
		return this.putBack();
	}

	/** Take back what is as it was written; the rest stays, and is remembered. Says whether nothing stays. */
	async putBack(): Promise<boolean> {
		const { fileManager, vault } = this.app;
		const [written, moved] = [this.written.reverse(), this.moved.reverse()];
		this.written = [];
		this.moved = [];
		for (const note of moved)
			await fileManager.renameFile(note.file, note.from).catch(() => this.moved.unshift(note));
		for (const note of written) {
			let isBack = false;
			const back = (text: string): string => {
				isBack = isSameBesideLinks(text, note.after); // the moves back had links rewritten
				return isBack ? note.before : text;
			};
			await vault.process(note.file, back).catch(() => (isBack = false));
			if (!isBack) this.written.unshift(note);
		}
		return this.paths.length === 0;
	}

	private async change(file: TFile, before: string, after: string): Promise<boolean> {
		let isAsShown = false;
		await this.app.vault.process(file, (text) => {
			isAsShown = text === before;
			return isAsShown ? after : text;
		});
		if (isAsShown) this.written.push({ file, before, after });
		return isAsShown;
	}

	private async move(file: TFile, to: string): Promise<void> {
		const folder = to.slice(0, Math.max(0, to.lastIndexOf("/")));
		if (folder !== "" && this.app.vault.getFolderByPath(folder) === null) await this.app.vault.createFolder(folder);
		const from = file.path;
		await this.app.fileManager.renameFile(file, to);
		this.moved.push({ file, from, to });
	}
}

function isSameBesideLinks(a: string, b: string): boolean {
	return a.replace(TARGET, "[]") === b.replace(TARGET, "[]");
}

/**
 * The text with these changes; null where what they replace does not stand there, or two touch the same place. Tags and
 * other properties become what the diff shows of them, byte for byte.
 */
export function changedText(text: string, changes: readonly Change[], shown?: Pick<FileDiff, "diff">): string | null {
	const edits: Edit[] = [];
	const end = text.match(LINE_END)?.[0] ?? "\n";
	const inItsLineEnds = (added: string): string => added.replace(LINE_END, end);
	if (changes.some(({ action }) => /-(tags|property)$/.test(action))) {
		const properties = shown ? shownProperties(text, shown) : null;
		if (properties === null) return null;
		edits.push(...properties);
	}
	for (const change of changes) {
		const { action, after = "" } = change;
		if (action === "append") {
			const gap =
				text === "" || /[\r\n]$/.test(text) || edits.some(({ start }) => start === text.length) ? "" : end;
			edits.push({
				start: text.length,
				end: text.length,
				after: gap + inItsLineEnds(/[\r\n]$/.test(after) ? after : `${after}\n`),
			});
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
	const at =
		column > 0
			? Array.from(content)
					.slice(0, column - 1)
					.join("").length
			: content.indexOf(before);
	const isThere = content.startsWith(before, at) && at >= 0;
	return isThere && (column > 0 || content.indexOf(before, at + 1) < 0) ? start + at : null;
}

/** Changes by the note that they are about, in the order given. */
function byPath(changes: readonly Change[]): Map<string, Change[]> {
	const paths = new Map<string, Change[]>();
	for (const change of changes) paths.set(change.path, [...(paths.get(change.path) ?? []), change]);
	return paths;
}
