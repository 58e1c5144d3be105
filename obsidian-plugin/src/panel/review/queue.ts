import type { Proposal, ReviewReply } from "../../api/wire";

export type Kind = Proposal["kind"];
export type Answer = Proposal["answer"];

/** Which proposals are shown: of one kind, and about notes in one folder. */
export interface Chosen {
	kind: Kind | null;
	folder: string | null;
}

/** What is known of the queue. */
export interface Queue extends Pick<
	ReviewReply,
	"proposals" | "total" | "counts" | "waiting" | "unanswered" | "written"
> {
	/** What has not been read yet, where nothing is proposed. */
	missing: readonly string[];
	mayDecide: boolean;
	/** Proposals that were said yes to, and are not written yet. */
	accepted: number;
}

/** How many wait, whatever is shown of them. */
export function waitingOf({ counts }: Pick<Queue, "counts">): number {
	return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The options that a yes includes before anything was ticked. */
export function proposedOptions({ options }: Proposal): ReadonlySet<string> {
	return new Set(options.filter(({ chosen }) => chosen).map(({ id }) => id));
}

export function isSame(a: Proposal, b: Proposal): boolean {
	return a.profile === b.profile && a.key === b.key;
}
