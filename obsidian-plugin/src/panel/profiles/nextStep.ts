import type { ProfileReply, ProfileStatus } from "../../api/wire";
import { listed } from "../shared/format";

/** The one thing to do before notes can be found; null where they can. */
export interface NextStep {
	text: string;
	/** What the button says that leads there. */
	label: string;
}

/** What keeps a newcomer from the first result: no profile, nothing allowed, or all of it locked. */
export function nextStep(profiles: readonly ProfileReply[], states: readonly Pick<ProfileStatus, "id" | "state">[]): NextStep | null {
	if (profiles.length === 0) return { text: "No vault can be searched yet. Choose one, and what of it may be read.", label: "Choose a vault" };
	const empty = profiles.filter(({ vaults }) => !vaults.some(({ allow }) => allow.length > 0));
	if (empty.length === profiles.length) return { text: `Nothing may be read yet in ${listed(empty.map(({ name }) => name))}.`, label: "Choose folders" };
	const locked = profiles.filter((profile) => profile.locked || states.some(({ id, state }) => id === profile.id && state === "locked"));
	if (locked.length > 0) return { text: `${listed(locked.map(({ name }) => name))} ${locked.length === 1 ? "is" : "are"} locked, and not searched.`, label: "Unlock" };
	return null;
}
