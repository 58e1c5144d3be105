import type { App } from "obsidian";
import type { Host } from "../../panel/host";
import { say } from "../../words/say";
import { LINE_END } from "./shownProperties";

/** A block of code in a note, as it was drawn. Lines are counted from 0, its fences included. */
export interface DrawnBlock {
	source: string;
	lineStart: number;
	lineEnd: number;
}

/** Put links in a block's place; every other character stays. Where the note is another by now, nothing is written. The user is told, and may take it back. */
export async function freezeBlock(
	app: App,
	host: Host,
	path: string,
	block: DrawnBlock,
	links: readonly string[],
): Promise<void> {
	const replaced = await replaceText(app, path, (text) => frozen(text, block, links)).catch(() => null);
	if (replaced === null) return host.notify(say("block.notFrozen"));
	const { before, after } = replaced;
	const undo = async (): Promise<void> => {
		const isBack = await replaceText(app, path, (text) => (text === after ? before : null)).catch(() => null);
		if (isBack === null) host.notify(say("block.notFrozen"));
	};
	host.notify(say("block.frozen"), { label: say("do.undo"), act: () => void undo() });
}

/** change: null where the text must stay. */
async function replaceText(
	app: App,
	path: string,
	change: (text: string) => string | null,
): Promise<{ before: string; after: string } | null> {
	const file = app.vault.getFileByPath(path);
	let done: { before: string; after: string } | null = null;
	if (file)
		await app.vault.process(file, (before) => {
			const after = change(before);
			done = after === null ? null : { before, after };
			return after ?? before;
		});
	return done;
}

/** The note with links in the block's place; null where the block does not stand there any more, or is inside a quotation or list. */
export function frozen(
	text: string,
	{ source, lineStart, lineEnd }: DrawnBlock,
	links: readonly string[],
): string | null {
	const ends = [...text.matchAll(LINE_END)];
	const starts = [0, ...ends.map(({ index, 0: end }) => index + end.length)];
	const stops = [...ends.map(({ index }) => index), text.length];
	const line = (number: number): string => text.slice(starts[number], stops[number]);
	const inside = Array.from({ length: Math.max(0, lineEnd - lineStart - 1) }, (_, at) => line(lineStart + 1 + at));
	const isThere =
		/^(`{3,}|~{3,})\s*scrubjay\s*$/.test(line(lineStart)) &&
		/^(`{3,}|~{3,})\s*$/.test(line(lineEnd)) &&
		inside.join("\n").trim() === source.trim();
	if (lineStart < 0 || !isThere) return null;
	return text.slice(0, starts[lineStart]) + links.join(ends[0]?.[0] ?? "\n") + text.slice(stops[lineEnd]);
}
