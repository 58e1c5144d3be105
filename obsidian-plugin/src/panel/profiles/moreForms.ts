import type { Client } from "../../api/client";
import type { ProfileChange, ProfileReply } from "../../api/wire";
import { say, sayAround } from "../../words/say";
import { fill, h, muted } from "../shared/dom";
import { type NoticeAction } from "../shared/notice";
import { trouble } from "../shared/trouble";
import { sizeWords } from "../status/words";

/** What the forms of a profile need of the screen that shows them. */
export interface FormScreen {
	client: () => Client;
	/** Show a form below the buttons of a profile, with what does it and the way back. `said`: where trouble is told. */
	ask: (work: HTMLElement, content: HTMLElement, go: NoticeAction, said: HTMLElement) => void;
	/** It is done: show the profiles as they are now. */
	end: () => void;
	notify: (message: string) => void;
}

type Protection = ProfileReply["protection"];
type FilterGroup = NonNullable<ProfileChange["filter_groups"]>[number];

const PROTECTIONS: readonly Protection[] = ["none", "keyring", "passphrase"];
const GROUPS: readonly FilterGroup[] = ["hashes", "identity", "payment"];

/** What is seldom done to a profile: who can open it, by which model it is read, what is filtered, a copy. A team's has no file here to encrypt or to copy. */
export function moreActions(profile: ProfileReply, work: HTMLElement, screen: FormScreen): NoticeAction[] {
	const isFile = !profile.server;
	return [
		...(isFile ? [{ label: say("profiles.encryption"), act: () => protect(profile, work, screen) }] : []),
		{ label: say("profiles.model"), act: () => chooseModel(profile, work, screen) },
		{ label: say("profiles.filter"), act: () => chooseGroups(profile, work, screen) },
		...(isFile ? [{ label: say("profiles.backup"), act: () => backUp(profile, work, screen) }] : []),
	];
}

function protect(profile: ProfileReply, work: HTMLElement, screen: FormScreen): void {
	const ways = PROTECTIONS.map((way) => h("option", { text: say(`protection.${way}`), attrs: { value: way } }));
	const way = h("select", { class: "sj-field", attrs: { "aria-label": say("profiles.encryption") } }, ...ways);
	way.value = profile.protection;
	const present = secretField("protection.present");
	const [first, second] = [secretField("protection.new"), secretField("protection.repeat")];
	const fresh = h("div", {}, first.line, second.line);
	const show = (): void => void (fresh.hidden = way.value !== "passphrase");
	way.addEventListener("change", show);
	show();
	const said = alertLine();
	const go = (): void => {
		const by = PROTECTIONS.find((each) => each === way.value) ?? "none";
		if (by === "passphrase" && first.field.value !== second.field.value)
			return fill(said, say("protection.differ"));
		const secrets = {
			...(by === "passphrase" ? { passphrase: first.field.value } : {}),
			...(profile.protection === "passphrase" ? { present: present.field.value } : {}),
		};
		doing(
			screen,
			said,
			screen
				.client()
				.ask("POST /v1/profiles/{profile_id}/protection", { profile_id: profile.id, by, ...secrets }),
		);
	};
	const content = h(
		"div",
		{},
		sentence(say("profiles.encryption.detail")),
		way,
		profile.protection === "passphrase" && present.line,
		fresh,
	);
	screen.ask(work, content, { label: say("do.apply"), act: go }, said);
}

function chooseModel(profile: ProfileReply, work: HTMLElement, screen: FormScreen): void {
	const option = (name: string): HTMLElement => h("option", { text: name, attrs: { value: name } });
	const choice = h(
		"select",
		{ class: "sj-field", attrs: { "aria-label": say("profiles.model") } },
		option(profile.model),
	);
	const said = alertLine();
	const others = muted(
		...sayAround("profiles.model.others", { command: h("code", { text: "scrubjay model list --available" }) }),
	);
	const go = (): void =>
		choice.value === profile.model
			? screen.end()
			: doing(
					screen,
					said,
					screen
						.client()
						.ask("POST /v1/profiles/{profile_id}", { profile_id: profile.id, model: choice.value }),
				);
	screen.ask(
		work,
		h("div", {}, sentence(say("profiles.model.detail")), choice, others),
		{ label: say("do.apply"), act: go },
		said,
	);
	void screen
		.client()
		.askIfOffered("GET /v1/models")
		.then(
			(reply) => choice.append(...(reply?.models ?? []).filter((name) => name !== profile.model).map(option)),
			() => undefined,
		);
}

function chooseGroups(profile: ProfileReply, work: HTMLElement, screen: FormScreen): void {
	const ticks = GROUPS.map((group) => {
		const tick = h("input", { attrs: { type: "checkbox" } });
		tick.checked = profile.filter_groups.includes(group);
		return { group, tick, line: h("label", { class: "sj-wizard-line" }, tick, say(`filterGroup.${group}`)) };
	});
	const said = alertLine();
	const go = (): void =>
		doing(
			screen,
			said,
			screen
				.client()
				.ask("POST /v1/profiles/{profile_id}", {
					profile_id: profile.id,
					filter_groups: ticks.filter(({ tick }) => tick.checked).map(({ group }) => group),
				}),
		);
	screen.ask(
		work,
		h("div", {}, sentence(say("profiles.filter.detail")), ...ticks.map(({ line }) => line)),
		{ label: say("do.save"), act: go },
		said,
	);
}

function backUp(profile: ProfileReply, work: HTMLElement, screen: FormScreen): void {
	const said = alertLine();
	const go = (): void => {
		fill(said, say("profiles.working"));
		screen
			.client()
			.ask("POST /v1/profiles/{profile_id}/backup", { profile_id: profile.id })
			.then(
				({ file, bytes }) =>
					fill(
						said,
						...sayAround("profiles.backup.done", {
							file: h("code", { class: "sj-path", text: file }),
							size: sizeWords(bytes),
							command: h("code", { text: "scrubjay profile restore" }),
						}),
					),
				(error: unknown) => fill(said, trouble(error)),
			);
	};
	screen.ask(
		work,
		sentence(say("profiles.backup.detail", { profile: profile.name })),
		{ label: say("profiles.backup"), act: go },
		said,
	);
}

/** Say that it is being done, then what came of it. */
function doing(screen: FormScreen, said: HTMLElement, done: Promise<unknown>): void {
	fill(said, say("profiles.working"));
	done.then(
		() => {
			screen.notify(say("profiles.changed"));
			screen.end();
		},
		(error: unknown) => fill(said, trouble(error)),
	);
}

function secretField(key: "protection.present" | "protection.new" | "protection.repeat"): {
	field: HTMLInputElement;
	line: HTMLElement;
} {
	const field = h("input", {
		class: "sj-field",
		attrs: { type: "password", autocomplete: "off", "aria-label": say(key) },
	});
	return { field, line: h("label", { class: "sj-wizard-line" }, say(key), field) };
}

function sentence(text: string): HTMLElement {
	return h("p", { class: "sj-muted", text });
}

function alertLine(): HTMLElement {
	return h("p", { class: "sj-wizard-said", attrs: { role: "alert" } });
}
