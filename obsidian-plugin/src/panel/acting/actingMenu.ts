import type { Client } from "../../api/client";
import type { ApplyReport, EditAsk, EditReply, SearchAsk } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { diffLines } from "../review/diffLines";
import { Disclosure } from "../shared/disclosure";
import { fill, h, muted, uniqueId } from "../shared/dom";
import { icon } from "../shared/icons";
import { button } from "../shared/notice";
import { trouble } from "../shared/trouble";
import { decideHere } from "../shared/workList";
import { asApiError } from "../../api/errors";
import { namingForm, type NamedSearches } from "../search/namedSearches";
import { EditForm } from "./editForm";
import { linksTo } from "./resultLinks";
import { writeEdit } from "./resultEditing";

export interface ActingOptions {
	client: Client;
	host: Host;
	named: NamedSearches;
	/** What is searched for now. */
	request: () => SearchAsk;
	/** Notes were written, or are as before. */
	onDone: () => void;
}

/** What can be done with everything that a search finds: taken away as links, or changed. */
export class ActingMenu {
	/** Opens what can be done. */
	readonly menu = h("div", { class: "sj-menu" });
	/** Where an edit is asked for and shown. */
	readonly editing = h("div", { class: "sj-acting" });
	private readonly list: Disclosure;
	private readonly edit = h("div");
	private readonly naming = h("div");
	private readonly shown = h("div");
	private readonly form = new EditForm(
		() => this.forget(),
		() => this.go(),
	);
	/** What was shown last, and is written as it was. */
	private looked: { asked: EditAsk; reply: EditReply } | null = null;
	private isBusy = false;

	constructor(private readonly options: ActingOptions) {
		const { host } = options;
		const label = say("acting.menu");
		const opener = h("button", { class: "sj-quiet", title: label, attrs: { "aria-label": label } }, icon("layers"));
		const list = h("div", {
			class: "sj-menu-list",
			attrs: { id: uniqueId("acting"), role: "group", "aria-label": label },
		});
		this.list = new Disclosure(this.menu, opener, list);
		const entry = (words: string, act: () => void): HTMLElement =>
			button({
				label: words,
				act: () => {
					this.list.close();
					act();
				},
			});
		list.append(
			entry(say("acting.copy"), () => this.begin(() => this.copy())),
			...(host.saveNote ? [entry(say("acting.note"), () => this.begin(() => this.saveNote()))] : []),
			entry(say("acting.edit"), () => this.open()),
			entry(say("acting.named"), () => this.askName()),
		);
		this.editing.append(this.naming, this.edit);
		this.edit.append(muted(say("acting.about")), this.form.element, this.shown);
		this.menu.append(opener, list);
		this.editing.hidden = true;
		this.show(false);
		this.forget();
	}

	/** Whether there are results. */
	show(hasResults: boolean): void {
		this.menu.hidden = !hasResults;
	}

	/** Another query: what was shown is not what would be written. */
	forget(): void {
		this.looked = null;
		this.draw();
	}

	/** Hide what is open. Says whether something was. */
	close(): boolean {
		const wasOpen = this.list.close() || !this.editing.hidden;
		this.editing.hidden = true;
		this.forget();
		return wasOpen;
	}

	private open(): void {
		fill(this.naming);
		this.edit.hidden = this.editing.hidden = false;
		this.form.focus();
	}

	/** Which name this search is to have, where the box is empty. */
	private askName(): void {
		const { named, request } = this.options;
		const { query } = request();
		this.close();
		this.edit.hidden = true;
		this.editing.hidden = false;
		const form = namingForm(named.nameOf(query), (name) => {
			if (name !== null) named.name(query, name);
			fill(this.naming);
			this.close();
		});
		fill(this.naming, form);
		form.querySelector("input")?.select();
	}

	private go(): void {
		const { looked } = this;
		this.begin(() => (looked === null ? this.look() : this.write(looked)));
	}

	private draw(...said: (HTMLElement | null)[]): void {
		const { looked } = this;
		const label = say(looked === null ? "acting.look" : "acting.write");
		const isNothing = looked?.reply.edited.length === 0;
		const act = h("button", { class: "sj-button sj-button-main", text: label, on: { click: () => this.go() } });
		fill(this.shown, ...said, isNothing ? null : act);
		if (looked !== null && !isNothing) act.focus();
	}

	private get asked(): EditAsk {
		const { query, profiles } = this.options.request();
		return { query, edit: this.form.edit, ...(profiles ? { profiles } : {}) };
	}

	private async look(): Promise<void> {
		const { asked } = this;
		try {
			const reply = await this.options.client.ask("POST /v1/edit", asked);
			if (JSON.stringify(asked) !== JSON.stringify(this.asked)) return; // something else is asked for by now
			this.looked = { asked, reply };
			const files = reply.edited.map(({ file }) => file);
			const changes = reply.edited.flatMap((each) => each.changes);
			const { in_links: links, left_lines: left } = reply;
			this.draw(
				h("p", { text: say("acting.would", { count: files.length }), attrs: { role: "status" } }),
				...(links > 0 ? [muted(say("acting.inLinks", { count: links }))] : []),
				...(left > 0 ? [muted(say("acting.leftLines", { count: left }))] : []),
				...reply.refused.map(({ path, reason }) => muted(`${path}: ${reason}`)),
				files.length > 0 ? diffLines({ changes, files, refused: "" }) : null,
			);
		} catch (error) {
			const why = asApiError(error);
			this.draw(muted(trouble(why)), decideHere(why.status !== 403, this.options.host));
		}
	}

	private async write({ asked, reply }: { asked: EditAsk; reply: EditReply }): Promise<void> {
		const { client, host } = this.options;
		const { report, undo } = await writeEdit(client, host, asked, reply);
		this.close();
		const takeBack =
			undo && ((): void => this.begin(async () => this.tell(await undo(), "review.undone", takeBack)));
		this.tell(report, "review.wrote", takeBack);
	}

	/** again: takes back what is left to be taken back. */
	private tell(
		{ notes, refused }: ApplyReport,
		said: "review.wrote" | "review.undone",
		again: (() => void) | null,
	): void {
		const { host, onDone } = this.options;
		const lines = [say(said, { count: notes.length }), ...refused.map(({ path, reason }) => `${path}: ${reason}`)];
		const isOver = said === "review.undone" && refused.length === 0;
		host.notify(lines.join(" "), again && !isOver ? { label: say("do.undo"), act: again } : undefined);
		onDone();
	}

	private async copy(): Promise<void> {
		const links = await this.links();
		await this.options.host.copy(links.join("\n"));
		this.options.host.notify(say("acting.copied", { count: links.length }));
	}

	private async saveNote(): Promise<void> {
		const { query } = this.options.request();
		await this.options.host.saveNote?.(query, `${(await this.links()).join("\n")}\n`);
	}

	private links(): Promise<string[]> {
		const { client, host, request } = this.options;
		return linksTo(client, host, request());
	}

	private begin(step: () => Promise<void>): void {
		if (this.isBusy) return;
		this.isBusy = true;
		step()
			.catch((error: unknown) => this.options.host.notify(trouble(error)))
			.finally(() => (this.isBusy = false));
	}
}
