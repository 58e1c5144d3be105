import { LINKED, type OfferedNote } from "../../api/words";
import { say } from "../../words/say";
import type { Mention } from "../host";
import { resultKey, type RelatedRow, type Row } from "../results/rows";
import type { Mark, MarkedNote } from "./noteMarks";

export interface Marked {
	of: (note: MarkedNote) => Mark | null;
	pinned: readonly MarkedNote[];
	/** Those to be shown at the end; none while they are out of sight. */
	hidden: readonly MarkedNote[];
	mentions: ReadonlyMap<string, Mention>;
}

/** Is there a link between the note and the one it is shown beside? */
export function isLinked(note: OfferedNote): boolean {
	return (note.reasons ?? []).some((reason) => LINKED.includes(reason));
}

/** Related notes in groups: those that are pinned, those that a link may be missing to, those with a link, the rest. */
export function relatedRows(notes: readonly OfferedNote[], { of, pinned, hidden, mentions }: Marked): Row[] {
	const row = (note: OfferedNote): RelatedRow => ({
		kind: "related",
		key: resultKey(note),
		note,
		mark: of(note),
		mention: mentions.get(resultKey(note)) ?? null,
	});
	const group = (label: string, members: readonly OfferedNote[]): Row[] =>
		members.length === 0 ? [] : [{ kind: "section", key: label, label }, ...members.map(row)];
	const known = (marked: MarkedNote): OfferedNote =>
		notes.find((note) => resultKey(note) === resultKey(marked)) ?? {
			id: "",
			modified: "",
			dated: null,
			tags: [],
			kind: "",
			...marked,
		};
	const rest = notes.filter((note) => of(note) === null);
	const isMissing = (note: OfferedNote): boolean =>
		!isLinked(note) && (note.unlinked === true || mentions.has(resultKey(note)));
	return [
		...group(say("related.pinned"), pinned.filter((note) => of(note) === "pinned").map(known)),
		...group(say("related.unlinked"), rest.filter(isMissing)),
		...group(say("related.linked"), rest.filter(isLinked)),
		...group(
			say("related.near"),
			rest.filter((note) => !isMissing(note) && !isLinked(note)),
		),
		...group(say("related.hiddenGroup"), hidden.map(known)),
	];
}
