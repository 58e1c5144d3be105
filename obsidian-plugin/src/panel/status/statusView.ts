import type { Client } from "../../api/client";
import { ApiError } from "../../api/errors";
import type { Failure, ProfileReply, ProfileStatus } from "../../api/wire";
import { copyText, type Host } from "../host";
import { fill, h, refill, setColour } from "../shared/dom";
import { count, grouped } from "../shared/format";
import { button, emptyNotice, errorNotice, START_COMMAND } from "../shared/notice";
import type { Connection, ConnectionState } from "./connection";
import { folderWords, percent, profileWords, shortWords, sizeWords } from "./words";

const SHOWN_FAILURES = 100;

export interface StatusViewOptions {
	client: () => Client;
	connection: Connection;
	host: Host;
	/** Offered while this client is not let in. */
	onConnect?: () => void;
}

/** Connection and indexing: one card a profile, with progress and the files that were left out. */
export class StatusView {
	readonly element = h("div", { class: "sj-pane sj-status" });
	private readonly stopListening: () => void;
	/** Drawn failures stay open across updates. */
	private readonly open = new Set<string>();
	private drawn = "";
	private profiles: readonly ProfileReply[] = [];

	constructor(private readonly options: StatusViewOptions) {
		this.stopListening = options.connection.listen((state) => this.draw(state));
	}

	dispose(): void {
		this.stopListening();
	}

	private draw(state: ConnectionState): void {
		const key = JSON.stringify([state, this.profiles]);
		if (key === this.drawn) return;
		this.drawn = key;
		if (state.phase !== "online" || !state.status) return this.drawAway(state);
		const { light, text } = shortWords(state);
		const head = h(
			"div",
			{ class: "sj-pane-head" },
			h("span", { class: `sj-light sj-light-${light}` }),
			h("h2", { text }),
			h("span", { class: "sj-muted", text: `Scrubjay ${state.status.version}` }),
		);
		if (state.status.profiles.some(({ name }) => !this.infoOf(name))) void this.loadProfiles();
		const cards = state.status.profiles.map((profile) => this.card(profile));
		const none = emptyNotice("layers", "No profile yet", h("span", {}, "Make one with ", h("code", { text: "scrubjay profile create" }), "."));
		refill(this.element, head, ...(cards.length > 0 ? cards : [none]));
	}

	private infoOf(name: string): ProfileReply | undefined {
		return this.profiles.find((profile) => profile.name === name);
	}

	private async loadProfiles(): Promise<void> {
		const profiles = await this.options.client().profiles().catch(() => null);
		if (!profiles) return;
		this.profiles = profiles;
		this.draw(this.options.connection.current);
	}

	private drawAway({ phase }: ConnectionState): void {
		const { connection, host, onConnect } = this.options;
		if (phase === "connecting") return fill(this.element, emptyNotice("plug", "Connecting", "Looking for the daemon on this machine."));
		if (phase === "offline") return fill(this.element, errorNotice(ApiError.unreachable(), { label: "Copy the command", act: () => copyText(host, "command", START_COMMAND) }, { label: "Try now", act: () => connection.retry() }));
		const error = new ApiError("unauthorized", 401, "The daemon runs, but this vault is not paired with it yet.");
		fill(this.element, errorNotice(error, ...(onConnect ? [{ label: "Pair", act: onConnect }] : [])));
	}

	private card(profile: ProfileStatus): HTMLElement {
		const dot = h("span", { class: "sj-dot" });
		setColour(dot, profile.colour);
		const again = button({ label: "Index again", act: () => this.index(profile.name) });
		again.setAttribute("aria-label", `Index again: ${profile.name}`);
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": profile.name } },
			h("div", { class: "sj-card-head" }, dot, h("h3", { text: profile.name }), again),
			h("p", { class: "sj-card-state", text: profileWords(profile) }),
			progress(profile),
			h("dl", { class: "sj-figures" }, ...figures(profile, this.infoOf(profile.name))),
			missing(profile),
			profile.failures.length > 0 && this.failures(profile),
		);
	}

	private failures(profile: ProfileStatus): HTMLElement {
		const { failures, name } = profile;
		const lines = failures.slice(0, SHOWN_FAILURES).map((failure) => failureLine(failure));
		const details = h("details", { class: "sj-failures" }, h("summary", { text: `${count(failures.length, "file")} left out` }), h("ul", {}, ...lines));
		details.open = this.open.has(name);
		details.addEventListener("toggle", () => (details.open ? this.open.add(name) : this.open.delete(name)));
		return details;
	}

	private index(profile: string): void {
		const { client, host, connection } = this.options;
		client()
			.index(profile)
			.then(
				() => connection.retry(),
				(error: unknown) => host.notify(error instanceof Error ? error.message : "The daemon did not answer"),
			);
	}
}

function progress(profile: ProfileStatus): HTMLElement | null {
	if (profile.total <= profile.done) return null;
	const bar = h("progress", { class: "sj-progress", attrs: { max: profile.total, "aria-label": `Progress of ${profile.name}` } });
	bar.value = profile.done;
	return h("div", { class: "sj-progress-line" }, bar, h("span", { text: `${percent(profile.done, profile.total)}%` }));
}

function figures(profile: ProfileStatus, info: ProfileReply | undefined): HTMLElement[] {
	const all: [string, string][] = [
		["Notes", grouped(profile.notes)],
		["Passages", grouped(profile.chunks)],
		["Credentials taken out", grouped(profile.redactions) + (profile.redactions_done > 0 ? `, ${grouped(profile.redactions_done)} of them done` : "")],
		...(profile.payloads ? [["Notes without their drawing's or picture's data", grouped(profile.payloads)] as [string, string]] : []),
		["On disk", sizeWords(profile.bytes_on_disk)],
		["Folders", info ? folderWords(info) : profile.vaults.join(", ")],
	];
	return all.map(([name, value]) => h("div", {}, h("dt", { text: name }), h("dd", { text: value })));
}

function missing({ on_disk }: ProfileStatus): HTMLElement | null {
	if (!on_disk?.missing) return null;
	const more = on_disk.missing - on_disk.missing_paths.length;
	const paths = on_disk.missing_paths.join(", ") + (more > 0 ? ` and ${grouped(more)} more` : "");
	return h("p", { class: "sj-card-state", text: `${count(on_disk.missing, "note")} on disk not in the index: ${paths}` });
}

function failureLine({ path, reason }: Failure): HTMLElement {
	return h("li", {}, h("span", { class: "sj-path", text: path }), h("span", { class: "sj-muted", text: reason }));
}
