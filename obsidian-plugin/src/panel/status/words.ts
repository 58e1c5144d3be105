import type { ProfileReply, ProfileStatus, Status } from "../../api/wire";
import { count, grouped, listed } from "../shared/format";
import { isWorking, type ConnectionState } from "./connection";

export type Light = "good" | "busy" | "off" | "waiting";

/** The state of everything in a few words, for the status bar. */
export function shortWords({ phase, status }: ConnectionState): { light: Light; text: string } {
	if (phase === "connecting") return { light: "waiting", text: "Connecting" };
	if (phase === "offline") return { light: "off", text: "Daemon not running" };
	if (phase === "unauthorized") return { light: "off", text: "Not paired" };
	if (status && isWorking(status)) return { light: "busy", text: workingWords(status) };
	return { light: "good", text: count(totalNotes(status), "note") };
}

function workingWords(status: Status): string {
	const working = status.profiles.filter(({ total, done }) => total > done);
	const total = working.reduce((sum, profile) => sum + profile.total, 0);
	const done = working.reduce((sum, profile) => sum + profile.done, 0);
	if (total > 0) return `Indexing ${percent(done, total)}%`;
	return `${count(status.pending_embeddings, "passage")} left`;
}

export function totalNotes(status: Status | null): number {
	return (status?.profiles ?? []).reduce((sum, profile) => sum + profile.notes, 0);
}

/** Whole percents, 100 only when done. */
export function percent(done: number, total: number): number {
	if (total <= 0) return 100;
	return Math.min(done >= total ? 100 : 99, Math.floor((100 * done) / total));
}

/** What a profile is doing, in a sentence. */
export function profileWords(profile: ProfileStatus): string {
	if (profile.reason !== "") return `${capital(profile.state)}: ${profile.reason}`;
	if (profile.total > profile.done) return `${capital(profile.state)}: ${grouped(profile.done)} of ${grouped(profile.total)}${timeLeft(profile.eta_seconds)}`;
	if (profile.pending_embeddings > 0) return `${count(profile.pending_embeddings, "passage")} left to embed; words are searchable already`;
	return profile.state === "idle" ? "Up to date" : capital(profile.state);
}

function timeLeft(seconds: number | null): string {
	if (seconds === null || seconds < 5) return "";
	return seconds < 90 ? `, about ${Math.round(seconds)} s left` : `, about ${Math.round(seconds / 60)} min left`;
}

function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Which folders a profile reads, for somebody who wonders why a note is not found. */
export function folderWords({ vaults, encrypted }: Pick<ProfileReply, "vaults" | "encrypted">): string {
	const parts = vaults.map(({ name, allow, exclude }) => {
		const allowed = allow.includes(".") ? "the whole vault" : listed(allow) || "nothing";
		return `${name}: ${allowed}${exclude.length > 0 ? `, without ${listed(exclude)}` : ""}`;
	});
	const folders = parts.length > 0 ? `${parts.join("; ")}.` : "No vault.";
	return `${folders}${encrypted ? " Encrypted." : ""}`;
}

/** "3.4 MB". */
export function sizeWords(bytes: number): string {
	const units = ["B", "kB", "MB", "GB"];
	const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
	const value = bytes / 1000 ** step;
	return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
