import type { OfferedNote } from "../../api/words";
import type { Storage } from "../host";

/** What the user said of a related note: always shown beside this note, or not beside this one, or beside none. */
export type Mark = "pinned" | "hidden" | "everywhere";

/** As much of a note as shows and opens it. */
export type MarkedNote = Pick<OfferedNote, "profile" | "vault" | "path" | "title">;

interface Saved {
	/** By the note that the others are shown beside. */
	pinned: Record<string, MarkedNote[]>;
	hidden: Record<string, MarkedNote[]>;
	everywhere: MarkedNote[];
}

interface Beside {
	vault: string;
	path: string;
}

const KEY = "related-marks";

/** Which related notes are pinned and hidden, on this device. Notes that move take their marks along, where `moved` is told. */
export class NoteMarks {
	constructor(private readonly storage: Storage) {}

	pinned(beside: Beside): MarkedNote[] {
		return this.read().pinned[keyOf(beside)] ?? [];
	}

	/** Those hidden beside this note, and those hidden beside every note. */
	hidden(beside: Beside): MarkedNote[] {
		const { hidden, everywhere } = this.read();
		return [...(hidden[keyOf(beside)] ?? []), ...everywhere];
	}

	of(beside: Beside, note: MarkedNote): Mark | null {
		const { pinned, hidden, everywhere } = this.read();
		if (has(everywhere, note)) return "everywhere";
		if (has(hidden[keyOf(beside)], note)) return "hidden";
		return has(pinned[keyOf(beside)], note) ? "pinned" : null;
	}

	/** null: show the note again where it belongs. */
	set(beside: Beside, { profile, vault, path, title }: MarkedNote, mark: Mark | null): void {
		const note = { profile, vault, path, title };
		const saved = this.read();
		const key = keyOf(beside);
		const others = (list: readonly MarkedNote[] = []): MarkedNote[] => list.filter((other) => !isSame(other, note));
		saved.pinned[key] = [...others(saved.pinned[key]), ...(mark === "pinned" ? [note] : [])];
		saved.hidden[key] = [...others(saved.hidden[key]), ...(mark === "hidden" ? [note] : [])];
		saved.everywhere = [...others(saved.everywhere), ...(mark === "everywhere" ? [note] : [])];
		this.write(saved);
	}

	/** A note of a vault is at another path now. */
	moved(vault: string, from: string, to: string): void {
		const { pinned, hidden, everywhere } = this.read();
		const renamed = (list: readonly MarkedNote[]): MarkedNote[] =>
			list.map((note) => (note.vault === vault && note.path === from ? { ...note, path: to } : note));
		const all = (lists: Saved["pinned"]): Saved["pinned"] =>
			Object.fromEntries(
				Object.entries(lists).map(([key, list]) => [
					key === keyOf({ vault, path: from }) ? keyOf({ vault, path: to }) : key,
					renamed(list),
				]),
			);
		this.write({ pinned: all(pinned), hidden: all(hidden), everywhere: renamed(everywhere) });
	}

	private read(): Saved {
		const saved = this.storage.read(KEY);
		const from = (typeof saved === "object" && saved !== null ? saved : {}) as Partial<Saved>;
		return { pinned: { ...from.pinned }, hidden: { ...from.hidden }, everywhere: from.everywhere ?? [] };
	}

	private write({ pinned, hidden, everywhere }: Saved): void {
		const used = (lists: Saved["pinned"]): Saved["pinned"] =>
			Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
		this.storage.write(KEY, { pinned: used(pinned), hidden: used(hidden), everywhere });
	}
}

function keyOf({ vault, path }: Beside): string {
	return `${vault}\n${path}`;
}

function isSame(a: MarkedNote, b: MarkedNote): boolean {
	return a.profile === b.profile && a.vault === b.vault && a.path === b.path;
}

function has(list: readonly MarkedNote[] | undefined, note: MarkedNote): boolean {
	return list?.some((other) => isSame(other, note)) ?? false;
}
