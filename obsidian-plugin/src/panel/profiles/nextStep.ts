import type { ProfileReply, ProfileStatus } from "../../api/wire";
import { say } from "../../words/say";
import { listed } from "../shared/format";

/** The one thing to do before notes can be found; null where they can. */
export interface NextStep {
	text: string;
	/** What the button says that leads there. */
	label: string;
}

/** What keeps a newcomer from the first result: no profile, nothing allowed, or all of it locked. */
export function nextStep(
	profiles: readonly ProfileReply[],
	states: readonly Pick<ProfileStatus, "id" | "state">[],
): NextStep | null {
	if (profiles.length === 0) return { text: say("next.noVault"), label: say("profiles.choose") };
	const empty = profiles.filter(({ vaults }) => !vaults.some(({ allow }) => allow.length > 0));
	if (empty.length === profiles.length)
		return {
			text: say("next.nothingAllowed", { profiles: listed(empty.map(({ name }) => name)) }),
			label: say("next.chooseFolders"),
		};
	const locked = profiles.filter(
		(profile) => profile.locked || states.some(({ id, state }) => id === profile.id && state === "locked"),
	);
	if (locked.length > 0)
		return {
			text: say("next.locked", { profiles: listed(locked.map(({ name }) => name)), count: locked.length }),
			label: say("do.unlock"),
		};
	return null;
}
