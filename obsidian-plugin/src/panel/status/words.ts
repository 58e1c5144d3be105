import type { ProfileReply, ProfileStatus, Status } from "../../api/wire";
import { language, say, writtenNumber } from "../../words/say";
import { listed } from "../shared/format";
import { isWorking, type ConnectionState } from "./connection";

const WORK = ["reading", "scanning", "embedding"] as const;
const CLOSED: readonly ProfileStatus["state"][] = ["locked", "paused", "failed", "away"];

export type Light = "good" | "busy" | "paused" | "off" | "waiting";

/** The state of everything in a few words, for the status bar. */
export function shortWords({ phase, status }: ConnectionState): { light: Light; text: string } {
	if (phase === "connecting") return { light: "waiting", text: say("status.connecting") };
	if (phase === "offline") return { light: "off", text: say("status.offline") };
	if (phase === "unauthorized") return { light: "off", text: say("status.unpaired") };
	const failed = status?.profiles.find(({ state }) => state === "failed");
	if (failed)
		return { light: "off", text: say("status.because", { state: failed.name, reason: say("state.failed") }) };
	if (status && isWorking(status)) return { light: "busy", text: workingWords(status) };
	const paused = status?.profiles.find(({ state }) => state === "paused");
	if (paused)
		return { light: "paused", text: say("status.because", { state: paused.name, reason: say("state.paused") }) };
	return { light: "good", text: say("count.notes", { count: totalNotes(status) }) };
}

/** What to do where plugin and daemon are not of the same version; "" where they are. */
export function versionWords(plugin: string, daemon: string): string {
	if (plugin === daemon) return "";
	return isBefore(plugin, daemon)
		? say("status.pluginOlder", { plugin, daemon, command: "scrubjay plugin install" })
		: say("status.daemonOlder", { plugin, daemon, command: "scrubjay update" });
}

function isBefore(one: string, other: string): boolean {
	const [left, right] = [one, other].map((version) => version.split(".").map(Number)) as [number[], number[]];
	const at = left.findIndex((part, place) => part !== right[place]);
	return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

/** Of all that is done, what most keeps notes from being found, and how far it is. */
function workingWords({ profiles }: Status): string {
	const work = WORK.find((each) => profiles.some(({ state }) => state === each)) ?? "scanning";
	const busy = profiles.filter(({ state }) => state === work);
	const sum = (of: "total" | "done"): number => busy.reduce((all, profile) => all + profile[of], 0);
	const state = say(`state.${work}`);
	return sum("total") > 0 ? say("status.because", { state, reason: percentWords(sum("done"), sum("total")) }) : state;
}

export function totalNotes(status: Status | null): number {
	return (status?.profiles ?? []).reduce((sum, profile) => sum + profile.notes, 0);
}

/** Whole percents, 100 only when done. */
export function percent(done: number, total: number): number {
	if (total <= 0) return 100;
	return Math.min(done >= total ? 100 : 99, Math.floor((100 * done) / total));
}

export function percentWords(done: number, total: number): string {
	return say("number.percent", { number: percent(done, total) });
}

/** What a profile is doing, in a sentence. */
export function profileWords(profile: ProfileStatus): string {
	const state = say(`state.${profile.state}`);
	const { reason, done, total } = profile;
	if (profile.state === "locked" && language() !== "en") return say("profiles.locked"); // the reason is English
	if (reason !== "") return say("status.because", { state, reason });
	if (total > done) {
		const time = profile.state === "paused" ? "" : timeLeft(profile.eta_seconds);
		return time === ""
			? say("status.doneOf", { state, done, total })
			: say("status.doneOfLeft", { state, done, total, time });
	}
	return profile.pending_embeddings > 0 ? say("summary.pending", { count: profile.pending_embeddings }) : state;
}

/** A line for each profile of which something is missing in every list: since it is closed, or has not been read yet. */
export function missingWords({ profiles }: Pick<Status, "profiles">): string[] {
	if (profiles.length === 0) return [say("next.noVault")];
	return profiles.flatMap((profile) => {
		const { name, state, notes, on_disk: onDisk, progress } = profile;
		const isClosed = notes === 0 && CLOSED.includes(state);
		const isUnread = notes === 0 && !onDisk;
		if (!isClosed && !isUnread && progress.unread === 0) return [];
		const words = isUnread && state === "idle" ? say("unread.nothing") : profileWords(profile);
		return [say("status.because", { state: name, reason: words })];
	});
}

function timeLeft(seconds: number | null): string {
	if (seconds === null || seconds < 5) return "";
	return seconds < 90
		? say("status.secondsLeft", { count: Math.round(seconds) })
		: say("status.minutesLeft", { count: Math.round(seconds / 60) });
}

/** Which folders a profile reads, for somebody who wonders why a note is not found. */
export function folderWords({
	vaults,
	encrypted,
	server,
}: Pick<ProfileReply, "vaults" | "encrypted" | "server">): string {
	const parts = vaults.map(({ name, allow, exclude }) => {
		const read = {
			vault: name,
			folders: allow.includes(".") ? say("folders.whole") : listed(allow) || say("folders.nothing"),
		};
		return exclude.length > 0
			? say("folders.without", { ...read, excluded: listed(exclude) })
			: say("folders.vault", read);
	});
	const folders =
		parts.length > 0
			? say("folders.sentence", { vaults: parts.reduce((first, rest) => say("folders.joined", { first, rest })) })
			: say("folders.noVault");
	if (server) return say("folders.server", { folders, server });
	return encrypted ? say("folders.encrypted", { folders }) : folders;
}

/** "3.4 MB". */
export function sizeWords(bytes: number): string {
	const units = ["B", "kB", "MB", "GB"] as const;
	const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
	const value = bytes / 1000 ** step;
	const size = writtenNumber(value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1));
	return say(`size.${units[step] ?? "GB"}`, { size });
}
