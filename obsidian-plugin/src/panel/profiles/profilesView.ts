import type { Client } from "../../api/client";
import type { ProfileChange, ProfileReply, ProfileStatus, VaultReply } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { fill, h, keepFocus, muted, setAttr, setColour } from "../shared/dom";
import { icon } from "../shared/icons";
import { actionMenu, explainedButton, type ExplainedAction } from "../shared/menu";
import { button, emptyNotice, type NoticeAction, retryNotice } from "../shared/notice";
import type { Connection } from "../status/connection";
import { folderWords, profileWords } from "../status/words";
import { FileChoice } from "./fileChoice";
import { FolderTree } from "./folderTree";
import { moreActions } from "./moreForms";
import { nextStep } from "./nextStep";
import { Press } from "../shared/press";
import { VaultWizard } from "./vaultWizard";
import { trouble } from "../shared/trouble";

/** What names the button that leads to another vault. */
const ADD = "add";

export interface ProfilesViewOptions {
	client: () => Client;
	connection: Connection;
	host: Host;
	/** A profile was made, changed or removed here. */
	onChange: () => void;
}

/** Profiles: which vaults are searched, what of them may be read, and all that is done to one; each says what it will do. */
export class ProfilesView {
	readonly element = h("div", { class: "sj-pane" });
	private profiles: readonly ProfileReply[] = [];
	/** What somebody is in the middle of: nothing is drawn anew under their hands. */
	private busy = false;
	/** A form that shows nothing of the profiles: it stays whatever they are by now. */
	private held: HTMLElement | null = null;
	/** The button that led to what is asked: the focus goes back to it. */
	private asked = "";

	private readonly press = new Press(this.element);

	constructor(private readonly options: ProfilesViewOptions) {
		// While notes are read, it is called again and again.
		options.connection.listen(() => this.press.after(() => this.draw()));
	}

	/** Ask anew. Never rejects. */
	async load(answered = (): void => undefined): Promise<void> {
		try {
			this.profiles = (await this.options.client().ask("GET /v1/profiles")).profiles;
			answered();
			this.draw();
		} catch (error) {
			answered();
			if (!this.busy)
				fill(
					this.element,
					retryNotice(error, () => void this.load()),
				);
		}
	}

	/** Begin with a new profile, or with what keeps notes from being found. */
	begin(): void {
		if (this.profiles.length === 0) return this.add();
		const waiting = this.profiles.find((profile) => nextStep([profile], this.states()) !== null);
		this.element.querySelector<HTMLElement>(`[data-profile="${waiting?.id ?? ""}"] .sj-button-main`)?.click();
	}

	private states(): readonly ProfileStatus[] {
		return this.options.connection.current.status?.profiles ?? [];
	}

	private draw(): void {
		if (this.busy || this.element.querySelector(".sj-menu-button[aria-expanded='true']")) return;
		const add = button({ label: say("profiles.add"), act: () => this.add() });
		const none = emptyNotice("layers", say("profiles.none"), say("profiles.none.detail"), {
			label: say("profiles.choose"),
			act: () => this.add(),
		});
		for (const each of [add, none.querySelector("button")]) if (each) setAttr(each, "data-focus", ADD);
		const cards = this.profiles.map((profile) => this.card(profile));
		keepFocus(this.element, () =>
			fill(
				this.element,
				h("div", { class: "sj-pane-head" }, h("h2", { text: say("profiles.title") }), cards.length > 0 && add),
				...(cards.length > 0 ? cards : [none]),
			),
		);
		const asked = [...this.element.querySelectorAll<HTMLElement>("[data-focus]")];
		asked.find(({ dataset }) => dataset["focus"] === this.asked)?.focus();
		this.asked = "";
	}

	private add(): void {
		const wizard = new VaultWizard({
			client: this.options.client,
			beside: this.profiles.flatMap(({ vaults }) => vaults).find(({ root }) => root)?.root ?? null,
			onMade: () => {
				this.options.host.notify(say("profiles.made"));
				this.end(wizard.element);
			},
			onCancel: () => this.cancel(),
		});
		this.busy = true;
		this.asked = ADD;
		this.held = wizard.element;
		fill(this.element, h("div", { class: "sj-pane-head" }, h("h2", { text: say("profiles.add") })), wizard.element);
		void wizard.start();
	}

	private card(profile: ProfileReply): HTMLElement {
		const state = this.states().find(({ id }) => id === profile.id);
		const isLocked = profile.locked || state?.state === "locked";
		const dot = h("span", { class: "sj-dot" });
		setColour(dot, profile.colour);
		const work = h("div", { class: "sj-profile-work" });
		const actions = isLocked ? [this.unlocking(profile, work)] : this.commonActions(profile, state, work);
		const isNext = nextStep([profile], this.states()) !== null;
		const buttons = actions.map((action, index) =>
			explainedButton(action, index === 0 && isNext ? "sj-button sj-button-main" : "sj-button"),
		);
		const menu = actionMenu(say("profiles.more"), isLocked ? [] : this.seldomActions(profile, work), {
			label: say("profiles.remove"),
			act: () => this.remove(profile, work),
		});
		// By its place: what it says changes as it is pressed.
		for (const [place, each] of buttons.entries()) setAttr(each, "data-focus", `${profile.id} ${place}`);
		const more = menu.querySelector(".sj-menu-button");
		if (more) setAttr(more, "data-focus", moreOf(profile.id));
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": profile.name, "data-profile": profile.id } },
			h("div", { class: "sj-card-head" }, dot, h("h3", { text: profile.name }), protectionBadge(profile)),
			h("p", {
				class: "sj-card-state",
				text: isLocked ? say("profiles.locked") : state ? profileWords(state) : "",
			}),
			muted(folderWords({ ...profile, encrypted: false })), // the badge says it
			h("div", { class: "sj-card-actions" }, ...buttons, menu),
			work,
		);
	}

	private unlocking(profile: ProfileReply, work: HTMLElement): NoticeAction {
		return {
			label: say("do.unlock"),
			act: () => {
				// One whose key is in the keyring needs no passphrase; whether it is tells only the attempt.
				this.options
					.client()
					.ask("POST /v1/profiles/{profile_id}/unlock", { profile_id: profile.id })
					.then(
						() => this.end(),
						() => this.askPassphrase(profile, work),
					);
			},
		};
	}

	private askPassphrase(profile: ProfileReply, work: HTMLElement): void {
		const field = h("input", {
			class: "sj-field",
			attrs: {
				type: "password",
				autocomplete: "off",
				"aria-label": say("profiles.passphraseOf", { profile: profile.name }),
			},
		});
		const said = h("p", { class: "sj-wizard-said", attrs: { role: "alert" } });
		const open = (): void => {
			const passphrase = field.value;
			field.value = "";
			this.options
				.client()
				.ask("POST /v1/profiles/{profile_id}/unlock", { profile_id: profile.id, passphrase })
				.then(
					() => this.end(),
					(error: unknown) => {
						fill(said, trouble(error));
						field.focus();
					},
				);
		};
		field.addEventListener("keydown", (event) => {
			if (event.key === "Enter") open();
		});
		this.ask(
			work,
			h("label", { class: "sj-wizard-line" }, say("profiles.passphrase"), field),
			{ label: say("do.unlock"), act: open },
			said,
		);
		field.focus();
	}

	/** The three that are done to a profile most. */
	private commonActions(
		profile: ProfileReply,
		state: ProfileStatus | undefined,
		work: HTMLElement,
	): ExplainedAction[] {
		const isPaused = state?.state === "paused";
		const [vault, ...others] = profile.vaults;
		const folders = {
			label: say("profiles.folders"),
			act: () =>
				vault && others.length === 0 ? this.chooseFolders(profile, vault, work) : this.askVault(profile, work),
		};
		const pause = {
			label: say(isPaused ? "profiles.resume" : "profiles.pause"),
			about: say(isPaused ? "profiles.resume.detail" : "profiles.pause.detail"),
			act: () =>
				this.run((client) =>
					client.ask(isPaused ? "POST /v1/resume" : "POST /v1/pause", { profile: profile.name }),
				),
		};
		return [...(vault ? [folders] : []), pause, profile.encrypted ? this.locking(profile) : this.indexing(profile)];
	}

	private seldomActions(profile: ProfileReply, work: HTMLElement): ExplainedAction[] {
		const screen = {
			client: this.options.client,
			ask: this.ask.bind(this),
			end: () => this.end(),
			notify: (message: string) => this.options.host.notify(message),
		};
		return [
			{ label: say("profiles.files"), act: () => this.chooseFiles(profile, work) },
			...moreActions(profile, work, screen),
			{ label: say("profiles.rename"), act: () => this.rename(profile, work) },
			profile.encrypted ? this.indexing(profile) : this.locking(profile),
		];
	}

	private locking(profile: ProfileReply): ExplainedAction {
		return {
			label: say("profiles.lock"),
			about: say(profile.protection === "none" ? "profiles.lock.open" : "profiles.lock.detail"),
			act: () =>
				this.run((client) => client.ask("POST /v1/profiles/{profile_id}/lock", { profile_id: profile.id })),
		};
	}

	private indexing(profile: ProfileReply): ExplainedAction {
		return {
			label: say("profiles.index"),
			about: say("profiles.index.detail"),
			act: () => this.run((client) => client.ask("POST /v1/index", { profile: profile.name })),
		};
	}

	/** Of which vault the folders are to be chosen. */
	private askVault(profile: ProfileReply, work: HTMLElement): void {
		const choices = profile.vaults.map((vault) => ({
			label: say("profiles.foldersIn", { vault: vault.name }),
			act: () => void this.chooseFolders(profile, vault, work),
		}));
		this.show(
			work,
			choices.map((choice) => button(choice)),
		);
	}

	private async chooseFolders(profile: ProfileReply, vault: VaultReply, work: HTMLElement): Promise<void> {
		const root = vault.root ?? "";
		this.busy = true;
		const tree = new FolderTree({
			look: (below) => this.options.client().ask("POST /v1/vaults/folders", { root, below }),
			choice: vault,
			onChange: () => undefined,
		});
		try {
			await tree.load();
		} catch (error) {
			this.busy = false;
			return this.options.host.notify(trouble(error));
		}
		const save = (): void => {
			const vaults = profile.vaults.map((each) => ({
				root: each.root ?? "",
				...(each.id === vault.id
					? { allow: [...tree.choice.allow], exclude: [...tree.choice.exclude] }
					: { allow: each.allow, exclude: each.exclude }),
			}));
			this.change(profile, { vaults, folders_revision: profile.folders_revision });
		};
		this.ask(work, h("div", {}, muted(say("profiles.folders.detail")), tree.element), {
			label: say("do.save"),
			act: save,
		});
	}

	private chooseFiles(profile: ProfileReply, work: HTMLElement): void {
		const choice = new FileChoice(profile.files);
		this.ask(work, choice.element, {
			label: say("do.save"),
			act: () => this.change(profile, { files: choice.chosen }),
		});
	}

	private change(profile: ProfileReply, change: Omit<ProfileChange, "profile_id">): void {
		this.run((client) => client.ask("POST /v1/profiles/{profile_id}", { profile_id: profile.id, ...change }));
	}

	private rename(profile: ProfileReply, work: HTMLElement): void {
		const field = h("input", {
			class: "sj-field",
			attrs: { type: "text", maxlength: 60, "aria-label": say("profiles.newName") },
		});
		field.value = profile.name;
		this.ask(work, h("label", { class: "sj-wizard-line" }, say("profiles.newName"), field), {
			label: say("profiles.rename"),
			act: () => this.change(profile, { name: field.value.trim() }),
		});
		field.select();
	}

	private remove(profile: ProfileReply, work: HTMLElement): void {
		const text = say(profile.server ? "profiles.remove.server" : "profiles.remove.detail", {
			profile: profile.name,
		});
		const go = {
			label: say("profiles.removeOne", { profile: profile.name }),
			act: () => this.run((client) => client.ask("DELETE /v1/profiles/{profile_id}", { profile_id: profile.id })),
		};
		this.show(work, [button(go, "sj-button sj-button-danger")], h("p", { text }));
		this.held = work;
	}

	/** Something to be said or chosen below the buttons of a profile, with the way back. */
	private ask(work: HTMLElement, content: HTMLElement, go: NoticeAction, said: HTMLElement | null = null): void {
		this.show(work, [button(go, "sj-button sj-button-main")], content, said);
		work.querySelector<HTMLElement>("input, select, button")?.focus();
	}

	private show(work: HTMLElement, buttons: readonly HTMLElement[], ...content: (HTMLElement | null)[]): void {
		this.busy = true;
		this.held = null;
		const pressed = this.element.ownerDocument.activeElement?.getAttribute("data-focus");
		this.asked = pressed ?? moreOf(work.closest<HTMLElement>("[data-profile]")?.dataset["profile"] ?? "");
		const cancel = button({ label: say("do.cancel"), act: () => this.cancel() });
		fill(work, ...content, h("div", { class: "sj-card-actions" }, ...buttons, cancel));
		cancel.focus();
	}

	private run(step: (client: Client) => Promise<unknown>): void {
		const form = this.held;
		step(this.options.client()).then(
			() => this.end(form),
			(error: unknown) => this.options.host.notify(trouble(error)),
		);
	}

	private cancel(): void {
		this.busy = false;
		this.held = null;
		this.draw();
	}

	/**
	 * Something was changed. Only the profiles as they are now are drawn: a form over the old ones would show what was before,
	 * and goes, unless it shows nothing of them and is not the form that changed it.
	 */
	private end(form: HTMLElement | null = null): void {
		this.busy = true;
		if (this.held === form) this.held = null;
		this.options.onChange();
		this.options.connection.retry();
		void this.load(() => (this.busy = this.held !== null));
	}
}

/** What names the menu of a profile among the buttons. */
function moreOf(profileId: string): string {
	return `${profileId} more`;
}

/** Whether whoever reads the disk could read the index, and what opens it. A team's lies on its server. */
function protectionBadge({ protection, server }: ProfileReply): HTMLElement | null {
	if (server) return null;
	return h("span", { class: "sj-badge" }, protection !== "none" && icon("key"), say(`protection.${protection}`));
}
