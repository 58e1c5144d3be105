import type { Client } from "../../api/client";
import { ApiError } from "../../api/errors";
import type { BoxStatus, Failure, ProfileReply, ProfileStatus, Status } from "../../api/wire";
import { say, sayAround } from "../../words/say";
import { copyText, type Host } from "../host";
import { fill, h, refill, setColour } from "../shared/dom";
import { grouped, listed } from "../shared/format";
import { kindWords } from "../shared/kinds";
import { button, emptyNotice, errorNotice, startCommand } from "../shared/notice";
import { Press } from "../shared/press";
import type { Connection, ConnectionState } from "./connection";
import { folderWords, percentWords, profileWords, shortWords, sizeWords, versionWords } from "./words";
import { failureWords, languageNames, told } from "../shared/told";
import { trouble } from "../shared/trouble";

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
	readonly element = h("div", { class: "sj-pane sj-status", attrs: { tabindex: -1 } });
	private readonly stopListening: () => void;
	/** Drawn failures stay open across updates. */
	private readonly open = new Set<string>();
	private drawn = "";
	private profiles: readonly ProfileReply[] = [];

	constructor(private readonly options: StatusViewOptions) {
		const press = new Press(this.element);
		// While notes are read, it is called again and again.
		this.stopListening = options.connection.listen((state) => press.after(() => this.draw(state)));
	}

	dispose(): void {
		this.stopListening();
	}

	private draw(state: ConnectionState): void {
		const key = JSON.stringify([state, this.profiles]);
		if (key === this.drawn) return;
		this.drawn = key;
		if (state.phase !== "online" || !state.status) return this.drawAway(state);
		const { host } = this.options;
		const { light, text } = shortWords(state);
		const head = h(
			"div",
			{ class: "sj-pane-head" },
			h("span", { class: `sj-light sj-light-${light}` }),
			h("h2", { text }),
			h("span", { class: "sj-muted", text: say("status.version", { version: state.status.version }) }),
		);
		if (state.status.profiles.some(({ name }) => !this.infoOf(name))) void this.loadProfiles();
		const cards = state.status.profiles.map((profile) => this.card(profile));
		const make = h(
			"span",
			{},
			...sayAround("status.noProfile.detail", { command: h("code", { text: "scrubjay profile create" }) }),
		);
		const none = host.chooseVault
			? emptyNotice("layers", say("profiles.none"), say("profiles.none.detail"), {
					label: say("profiles.choose"),
					act: () => host.chooseVault?.(),
				})
			: emptyNotice("layers", say("profiles.none"), make);
		const versions = host.version === undefined ? "" : versionWords(host.version, state.status.version);
		const warnings = [versions, ...state.status.warnings].filter((words) => words !== "");
		refill(
			this.element,
			head,
			...warnings.map((text) => h("p", { class: "sj-card-state", attrs: { role: "status" }, text })),
			...(cards.length > 0 ? cards : [none]),
			takenPort(state.status),
			box(state.status),
		);
	}

	private infoOf(name: string): ProfileReply | undefined {
		return this.profiles.find((profile) => profile.name === name);
	}

	private async loadProfiles(): Promise<void> {
		const reply = await this.options
			.client()
			.ask("GET /v1/profiles")
			.catch(() => null);
		if (!reply) return;
		this.profiles = reply.profiles;
		this.draw(this.options.connection.current);
	}

	private drawAway({ phase }: ConnectionState): void {
		const { connection, host, onConnect } = this.options;
		if (phase === "connecting")
			return fill(this.element, emptyNotice("plug", say("status.connecting"), say("status.connecting.detail")));
		if (phase === "offline")
			return fill(
				this.element,
				errorNotice(
					ApiError.unreachable(),
					{ label: say("do.copyCommand"), act: () => copyText(host, "copied.command", startCommand()) },
					{ label: say("do.tryNow"), act: () => connection.retry() },
				),
			);
		const error = new ApiError("unauthorized", 401, "");
		fill(this.element, errorNotice(error, ...(onConnect ? [{ label: say("do.pair"), act: onConnect }] : [])));
	}

	private card(profile: ProfileStatus): HTMLElement {
		const dot = h("span", { class: "sj-dot" });
		setColour(dot, profile.colour);
		const again = button({ label: say("profiles.index"), act: () => this.index(profile.name) });
		again.setAttribute("aria-label", say("status.indexAgain", { profile: profile.name }));
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": profile.name } },
			h("div", { class: "sj-card-head" }, dot, h("h3", { text: profile.name }), again),
			h("p", { class: "sj-card-state", text: profileWords(profile) }),
			progress(profile),
			h("dl", { class: "sj-figures" }, ...figures(profile, this.infoOf(profile.name))),
			missing(profile),
			differing(profile),
			this.suggestion(profile),
			profile.failures.length > 0 && this.failures(profile),
		);
	}

	private failures(profile: ProfileStatus): HTMLElement {
		const { failures, name } = profile;
		const lines = failures.slice(0, SHOWN_FAILURES).map((failure) => failureLine(failure));
		const details = h(
			"details",
			{ class: "sj-failures" },
			h("summary", { text: say("status.leftOut", { count: failures.length }) }),
			h("ul", {}, ...lines),
		);
		details.open = this.open.has(name);
		details.addEventListener("toggle", () => (details.open ? this.open.add(name) : this.open.delete(name)));
		return details;
	}

	/** Another model, where this one reads much of the profile badly, and what it costs; one that is here is taken by a press. */
	private suggestion({ name, suggestion: found }: ProfileStatus): HTMLElement | null {
		if (!found) return null;
		const { model, megabytes, memory, licence, seconds } = found;
		const [percent, languages] = [percentWords(found.share, 1), languageNames(found.languages)];
		const take = (id: string): Promise<unknown> =>
			this.options.client().ask("POST /v1/profiles/{profile_id}", { profile_id: id, model });
		const id = this.infoOf(name)?.id;
		const how =
			found.is_here && id
				? [button({ label: say("status.suggestion.take"), act: () => this.shown(take(id)) })]
				: sayAround("status.suggestion.command", { command: h("code", { text: found.command }) });
		return h(
			"p",
			{ class: "sj-card-state" },
			say("status.suggestion", { percent, languages, model, megabytes, memory, licence }),
			" ",
			seconds === null ? "" : say("status.suggestion.minutes", { count: Math.ceil(seconds / 60) }),
			" ",
			...how,
		);
	}

	private index(profile: string): void {
		this.shown(this.options.client().ask("POST /v1/index", { profile }));
	}

	/** What the service has begun is looked up at once. */
	private shown(begun: Promise<unknown>): void {
		const { host, connection } = this.options;
		begun.then(
			() => connection.retry(),
			(error: unknown) => host.notify(trouble(error)),
		);
	}
}

/** That another user of the machine has the port where the language model should answer. */
function takenPort({ taken_port: found }: Status): HTMLElement | null {
	if (!found) return null;
	const { address, user } = found;
	const command = h("code", { text: "scrubjay llm use ADDRESS" });
	return h(
		"p",
		{ class: "sj-card-state", attrs: { role: "status" } },
		...sayAround("status.takenPort", { address, user: String(user), command }),
	);
}

/** By what the process that reads files is closed to the world, and what it lacks. */
function box({ box: found }: Status): HTMLElement | null {
	if (!found) return null;
	const lacks = found.missing.length > 0;
	const measures = measureWords(found.measures);
	const missing = measureWords(found.missing);
	const text = !lacks
		? say("status.box", { measures })
		: found.required
			? say("status.boxRefuses", { missing })
			: say("status.boxLacks", { measures, missing });
	return h("p", lacks ? { class: "sj-card-state", attrs: { role: "status" }, text } : { class: "sj-muted", text });
}

function measureWords(measures: BoxStatus["measures"]): string {
	return measures.length > 0
		? listed(measures.map((each) => told(`measure.${each}`, "") || each))
		: say("measure.none");
}

function progress(profile: ProfileStatus): HTMLElement | null {
	if (profile.total <= profile.done) return null;
	const bar = h("progress", {
		class: "sj-progress",
		attrs: { max: profile.total, "aria-label": say("status.progress", { profile: profile.name }) },
	});
	bar.value = profile.done;
	return h("div", { class: "sj-progress-line" }, bar, h("span", { text: percentWords(profile.done, profile.total) }));
}

function figures(profile: ProfileStatus, info: ProfileReply | undefined): HTMLElement[] {
	const all: [string, string][] = [
		[say("status.notes"), grouped(profile.notes)],
		[say("status.passages"), grouped(profile.chunks)],
		[
			say("status.redactions"),
			profile.redactions_done > 0
				? say("status.redactionsDone", { redactions: profile.redactions, done: profile.redactions_done })
				: grouped(profile.redactions),
		],
		...(profile.payloads ? [[say("status.payloads"), grouped(profile.payloads)] as [string, string]] : []),
		...(profile.kinds ?? []).map(({ kind, files, bytes }): [string, string] => [
			kindWords(kind),
			`${say("count.files", { count: files })} · ${sizeWords(bytes)}`,
		]),
		[say("status.onDisk"), sizeWords(profile.bytes_on_disk)],
		[say("status.folders"), info ? folderWords(info) : profile.vaults.join(", ")],
	];
	return all.map(([name, value]) => h("div", {}, h("dt", { text: name }), h("dd", { text: value })));
}

function missing({ on_disk }: ProfileStatus): HTMLElement | null {
	return on_disk && notesLine("status.missing", on_disk.missing, on_disk.missing_paths);
}

function differing({ on_disk }: ProfileStatus): HTMLElement | null {
	return on_disk && notesLine("status.differing", on_disk.differing, on_disk.differing_paths);
}

/** A sentence about `count` notes, `first` of which it names; nothing where there are none. */
function notesLine(
	key: "status.missing" | "status.differing",
	count: number,
	first: readonly string[],
): HTMLElement | null {
	if (!count) return null;
	const more = count - first.length;
	const some = first.join(", ");
	const paths = more > 0 ? say("status.missingMore", { paths: some, count: more }) : some;
	return h("p", { class: "sj-card-state", text: say(key, { count, paths }) });
}

function failureLine(failure: Failure): HTMLElement {
	return h(
		"li",
		{},
		h("span", { class: "sj-path", text: failure.path }),
		h("span", { class: "sj-muted", text: failureWords(failure) }),
	);
}
