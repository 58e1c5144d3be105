import type { Client } from "../../api/client";
import { asApiError } from "../../api/errors";
import type { ProfileReply, ProfileStatus, VaultReply } from "../../api/wire";
import type { Host } from "../host";
import { fill, h, setColour } from "../shared/dom";
import { button, emptyNotice, errorNotice, type NoticeAction } from "../shared/notice";
import type { Connection } from "../status/connection";
import { folderWords, profileWords } from "../status/words";
import { FolderTree } from "./folderTree";
import { nextStep } from "./nextStep";
import { VaultWizard } from "./vaultWizard";

export interface ProfilesViewOptions {
	client: () => Client;
	connection: Connection;
	host: Host;
	/** A profile was made, changed or removed here. */
	onChange: () => void;
}

/** Profiles: which vaults are searched, what of them may be read, and all that is done to one; each says what it will do. */
export class ProfilesView {
	readonly element = h("div", { class: "sj-pane sj-profiles" });
	private profiles: readonly ProfileReply[] = [];
	/** What somebody is in the middle of: nothing is drawn anew under their hands. */
	private busy = false;

	constructor(private readonly options: ProfilesViewOptions) {
		options.connection.listen(() => this.draw());
	}

	/** Ask anew. Never rejects. */
	async load(): Promise<void> {
		try {
			this.profiles = await this.options.client().profiles();
			this.draw();
		} catch (error) {
			if (!this.busy) fill(this.element, errorNotice(asApiError(error), { label: "Try again", act: () => void this.load() }));
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
		if (this.busy) return;
		const add = button({ label: "Add a vault", act: () => this.add() });
		const none = emptyNotice("layers", "No profile yet", "A profile is a vault, or several, that are searched together.", { label: "Choose a vault", act: () => this.add() });
		const cards = this.profiles.map((profile) => this.card(profile));
		fill(this.element, h("div", { class: "sj-pane-head" }, h("h2", { text: "Profiles" }), cards.length > 0 && add), ...(cards.length > 0 ? cards : [none]));
	}

	private add(): void {
		const wizard = new VaultWizard({
			client: this.options.client,
			onMade: () => {
				this.options.host.notify("It is being read; notes can be found as they come in");
				this.end();
			},
			onCancel: () => this.end(),
		});
		this.busy = true;
		fill(this.element, h("div", { class: "sj-pane-head" }, h("h2", { text: "Add a vault" })), wizard.element);
		void wizard.start();
	}

	private card(profile: ProfileReply): HTMLElement {
		const state = this.states().find(({ id }) => id === profile.id);
		const isLocked = profile.locked || state?.state === "locked";
		const dot = h("span", { class: "sj-dot" });
		setColour(dot, profile.colour);
		const work = h("div", { class: "sj-profile-work" });
		const actions = isLocked ? [this.unlocking(profile, work)] : this.actions(profile, state, work);
		const isNext = nextStep([profile], this.states()) !== null;
		return h(
			"section",
			{ class: "sj-card", attrs: { "aria-label": profile.name, "data-profile": profile.id } },
			h("div", { class: "sj-card-head" }, dot, h("h3", { text: profile.name })),
			h("p", { class: "sj-card-state", text: isLocked ? "Locked: it is not searched until you unlock it." : state ? profileWords(state) : "" }),
			h("p", { class: "sj-muted", text: folderWords(profile) }),
			h("div", { class: "sj-card-actions" }, ...actions.map((action, index) => button(action, index === 0 && isNext ? "sj-button sj-button-main" : "sj-button"))),
			work,
		);
	}

	private unlocking(profile: ProfileReply, work: HTMLElement): NoticeAction {
		return {
			label: "Unlock",
			act: () => {
				// One whose key is in the keyring needs no passphrase; whether it is tells only the attempt.
				this.options
					.client()
					.unlock(profile.id)
					.then(
						() => this.end(),
						() => this.askPassphrase(profile, work),
					);
			},
		};
	}

	private askPassphrase(profile: ProfileReply, work: HTMLElement): void {
		const field = h("input", { class: "sj-field", attrs: { type: "password", autocomplete: "off", "aria-label": `Passphrase of ${profile.name}` } });
		const said = h("p", { class: "sj-wizard-said", attrs: { role: "alert" } });
		const open = (): void => {
			const passphrase = field.value;
			field.value = "";
			this.options
				.client()
				.unlock(profile.id, passphrase)
				.then(
					() => this.end(),
					(error: unknown) => {
						fill(said, asApiError(error).message);
						field.focus();
					},
				);
		};
		field.addEventListener("keydown", (event) => {
			if (event.key === "Enter") open();
		});
		this.ask(work, h("label", { class: "sj-wizard-line" }, "Passphrase", field), { label: "Unlock", act: open }, said);
		field.focus();
	}

	private actions(profile: ProfileReply, state: ProfileStatus | undefined, work: HTMLElement): NoticeAction[] {
		const isPaused = state?.state === "paused";
		return [
			...profile.vaults.map((vault) => ({ label: profile.vaults.length > 1 ? `What may be read in ${vault.name}` : "What may be read", act: () => void this.chooseFolders(profile, vault, work) })),
			{ label: isPaused ? "Go on indexing" : "Pause indexing", act: () => this.run((client) => client.pause(profile.name, !isPaused)) },
			{ label: "Index again", act: () => this.run((client) => client.index(profile.name)) },
			{ label: "Rename", act: () => this.rename(profile, work) },
			{ label: "Lock", act: () => this.run((client) => client.lock(profile.id)) },
			{ label: "Remove", act: () => this.remove(profile, work) },
		];
	}

	private async chooseFolders(profile: ProfileReply, vault: VaultReply, work: HTMLElement): Promise<void> {
		const root = vault.root ?? "";
		this.busy = true;
		const tree = new FolderTree({ look: (below) => this.options.client().lookInto(root, below), choice: vault, onChange: () => undefined });
		try {
			await tree.load();
		} catch (error) {
			this.busy = false;
			return this.options.host.notify(asApiError(error).message);
		}
		const save = (): void => {
			const vaults = profile.vaults.map((each) => ({ root: each.root ?? "", ...(each.id === vault.id ? { allow: [...tree.choice.allow], exclude: [...tree.choice.exclude] } : { allow: each.allow, exclude: each.exclude }) }));
			this.run((client) => client.changeProfile(profile.id, { vaults }));
		};
		this.ask(work, h("div", {}, h("p", { class: "sj-muted", text: "What is ticked is read and searched; what is not is taken out of the index. The notes stay as they are." }), tree.element), { label: "Save", act: save });
	}

	private rename(profile: ProfileReply, work: HTMLElement): void {
		const field = h("input", { class: "sj-field", attrs: { type: "text", maxlength: 60, "aria-label": "New name" } });
		field.value = profile.name;
		this.ask(work, h("label", { class: "sj-wizard-line" }, "New name", field), { label: "Rename", act: () => this.run((client) => client.changeProfile(profile.id, { name: field.value.trim() })) });
		field.select();
	}

	private remove(profile: ProfileReply, work: HTMLElement): void {
		const text = `The index of ${profile.name}, its history and what was decided about its credentials are deleted. The notes stay as they are; to search them again they are read anew.`;
		this.ask(work, h("p", { text }), { label: `Remove ${profile.name}`, act: () => this.run((client) => client.removeProfile(profile.id)) });
	}

	/** Something to be said or chosen below the buttons of a profile, with the way back. */
	private ask(work: HTMLElement, content: HTMLElement, go: NoticeAction, said: HTMLElement | null = null): void {
		this.busy = true;
		fill(work, content, said, h("div", { class: "sj-card-actions" }, button(go, "sj-button sj-button-main"), button({ label: "Cancel", act: () => this.end() })));
		work.querySelector<HTMLElement>("input, button")?.focus();
	}

	private run(step: (client: Client) => Promise<unknown>): void {
		step(this.options.client()).then(
			() => this.end(),
			(error: unknown) => this.options.host.notify(asApiError(error).message),
		);
	}

	private end(): void {
		this.busy = false;
		this.draw();
		this.options.onChange();
		this.options.connection.retry();
		void this.load();
	}
}
