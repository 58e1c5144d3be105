import type { Client } from "../../api/client";
import type { ApplyReport, EditAsk, EditReply, NotWritten } from "../../api/wire";
import { say } from "../../words/say";
import type { Applied, Host } from "../host";

type NoteEdit = EditReply["edited"][number];

/** What was written into notes, and how it is taken back. */
export interface Edited {
	report: ApplyReport;
	/** Take it back; null where nothing was written. */
	undo: (() => Promise<ApplyReport>) | null;
}

interface Written {
	note: NoteEdit;
	applied: Applied;
}

/** Write an edit into the notes that were shown: by Obsidian where the host is that, else by the command that the daemon calls. */
export async function writeEdit(client: Client, host: Host, asked: EditAsk, shown: EditReply): Promise<Edited> {
	if (host.applyChanges) return writeHere(client, host, asked, shown);
	const keys = shown.edited.map(({ key }) => key);
	const report = await client.ask("POST /v1/edit/write", { ...asked, shown: keys });
	const { run } = report;
	return { report, undo: run === "" ? null : () => client.ask("POST /v1/review/undo", { run }) };
}

/** Each note by itself: one that is another by now, or is elsewhere, is left as it is. */
async function writeHere(client: Client, host: Host, asked: EditAsk, shown: EditReply): Promise<Edited> {
	const now = await client.ask("POST /v1/edit", asked); // what was excluded or saved meanwhile has no such key any more
	const keys = new Set(now.edited.map(({ key }) => key));
	const written: Written[] = [];
	const refused: NotWritten[] = [];
	for (const note of shown.edited) {
		const { profile, changes, file } = note;
		const isHere = host.isHere?.({ vault: file.vault, path: file.path, title: "", profile }) === true;
		const applied =
			isHere && keys.has(note.key)
				? await host.applyChanges?.({ changes, files: [file] }).catch(() => null)
				: undefined;
		if (applied) written.push({ note, applied });
		if (!applied || applied.stays.length > 0)
			refused.push(left(file.path, say(isHere ? "acting.other" : "acting.elsewhere")));
	}
	const notes = written.map(({ note }) => note.file.path);
	return {
		report: { keys: [], notes, refused, run: "" },
		undo: written.length === 0 ? null : () => takeBack(client, written),
	};
}

/** Take back what may be written now and has not changed since; of the rest, the next call tries again. */
async function takeBack(client: Client, written: Written[]): Promise<ApplyReport> {
	const notes: string[] = [];
	const refused: NotWritten[] = [];
	const excluded = await excludedOf(client, written);
	for (const each of written.splice(0).reverse()) {
		const { path } = each.note.file;
		const isBack = !excluded.has(each) && (await each.applied.undo().catch(() => false));
		if (isBack) notes.push(path);
		else written.unshift(each);
		if (!isBack) refused.push(left(path, say("acting.stays")));
	}
	return { keys: [], notes, refused, run: "" };
}

async function excludedOf(client: Client, written: readonly Written[]): Promise<ReadonlySet<Written>> {
	const excluded = new Set<Written>();
	const vaults = new Set(written.map(({ note }) => JSON.stringify([note.profile, note.file.vault])));
	for (const named of vaults) {
		const [profile, vault] = JSON.parse(named) as [string, string];
		const own = written.filter(({ note }) => note.profile === profile && note.file.vault === vault);
		const paths = own.flatMap(({ applied }) => applied.touched());
		const { refused } = await client.ask("POST /v1/review/writable", { profile, vault, paths });
		for (const each of own) if (refused.includes(each.note.file.path)) excluded.add(each);
	}
	return excluded;
}

function left(path: string, reason: string): NotWritten {
	return { path, keys: [], reason };
}
