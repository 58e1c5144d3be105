import type { Credential } from "../../api/wire";
import { compareNames } from "../../words/say";
import { folderOf } from "../shared/format";
import { kindOf } from "./labels";

/** Which findings are shown: of one kind, and below one folder. */
export interface Chosen {
	/** As `kindOf` names it. */
	kind: string | null;
	folder: string | null;
}

export interface CredentialNote {
	profile: string;
	vault: string;
	path: string;
	found: Credential[];
}

/** Findings by note, notes and lines in order. */
export function byNote(credentials: readonly Credential[]): CredentialNote[] {
	const notes = new Map<string, CredentialNote>();
	for (const credential of credentials) {
		const { profile, vault, path } = credential;
		const key = noteKey(credential);
		const note = notes.get(key) ?? { profile, vault, path, found: [] };
		note.found.push(credential);
		notes.set(key, note);
	}
	for (const note of notes.values()) note.found.sort((a, b) => a.line - b.line || a.column - b.column);
	return [...notes.values()].sort((a, b) => compareNames(a.vault, b.vault) || compareNames(a.path, b.path));
}

/** The same for all findings of a note, and of no other. */
export function noteKey({ profile, vault, path }: Pick<Credential, "profile" | "vault" | "path">): string {
	return `${profile}\n${vault}\n${path}`;
}

/** Those of one kind below one folder. */
export function narrowed(credentials: readonly Credential[], { kind, folder }: Chosen): Credential[] {
	return credentials.filter(
		(each) =>
			(kind === null || kindOf(each) === kind) &&
			(folder === null || folderOf(each.path) === folder || each.path.startsWith(`${folder}/`)),
	);
}

/** How many there are of each kind, the most first. */
export function kinds(credentials: readonly Credential[]): { kind: string; count: number }[] {
	const found = new Map<string, number>();
	for (const kind of credentials.map(kindOf)) found.set(kind, (found.get(kind) ?? 0) + 1);
	return [...found]
		.map(([kind, count]) => ({ kind, count }))
		.sort((a, b) => b.count - a.count || compareNames(a.kind, b.kind));
}

/** The place of a finding, as one string. */
export function placeOf({ profile, vault, path, line, column, rule }: Credential): string {
	return JSON.stringify([profile, vault, path, line, column, rule]);
}

/** Whether two findings are the same place. */
export function isSame(a: Credential, b: Credential): boolean {
	return (
		a.line === b.line &&
		a.column === b.column &&
		a.path === b.path &&
		a.rule === b.rule &&
		a.vault === b.vault &&
		a.profile === b.profile
	);
}
