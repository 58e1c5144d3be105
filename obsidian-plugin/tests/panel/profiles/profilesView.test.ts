import { describe, expect, it, vi } from "vitest";
import { Client } from "../../../src/api/client";
import type { ProfileReply, VaultReply } from "../../../src/api/wire";
import { ProfilesView } from "../../../src/panel/profiles/profilesView";
import { VaultWizard } from "../../../src/panel/profiles/vaultWizard";
import { Connection } from "../../../src/panel/status/connection";
import { FakeDaemon, Refused, status } from "../../helpers/fakeDaemon";
import { RecordingHost } from "../../helpers/recordingHost";

const profile = (change: Partial<ProfileReply> = {}): ProfileReply => ({
	id: "p1",
	name: "notes",
	colour: "#3355aa",
	vaults: [],
	federate: true,
	encrypted: false,
	model: "bundled",
	protection: "none",
	filter_groups: [],
	server: "",
	folders_revision: "",
	locked: false,
	files: {},
	...change,
});

describe("profiles", () => {
	const shownBy = async (daemon: FakeDaemon): Promise<ProfilesView> => {
		const client = new Client(daemon);
		const view = new ProfilesView({
			client: () => client,
			connection: new Connection(client),
			host: new RecordingHost(),
			onChange: () => undefined,
		});
		await view.load();
		return view;
	};
	const shown = (...profiles: ProfileReply[]): Promise<ProfilesView> =>
		shownBy(new FakeDaemon().on("GET /v1/profiles", () => ({ profiles })));
	const press = (view: ProfilesView, label: string): void =>
		[...view.element.querySelectorAll("button")].find(({ textContent }) => textContent === label)?.click();

	const folder: VaultReply = {
		id: "v1",
		name: "Notes",
		allow: ["."],
		exclude: [],
		root: "/n",
		own: false,
		inbox: "",
	};

	it("are never offered as they were before a change that was just made", async () => {
		let now = profile();
		let reads = 0;
		const lists: (() => void)[] = [];
		const daemon = new FakeDaemon()
			.on("GET /v1/profiles", () => {
				reads += 1;
				return reads === 1
					? { profiles: [now] }
					: new Promise((list) => lists.push(() => list({ profiles: [now] })));
			})
			.on("POST /v1/profiles/p1", () => (now = profile({ filter_groups: ["payment"] })));
		const view = await shownBy(daemon);
		const ticks = (): boolean[] =>
			[...view.element.querySelectorAll<HTMLInputElement>("input[type=checkbox]")].map(({ checked }) => checked);

		press(view, "Filter");
		expect(ticks()).toEqual([false, false, false]);
		view.element.querySelectorAll<HTMLInputElement>("input[type=checkbox]")[2]?.click();
		press(view, "Save");
		await vi.waitFor(() => expect(lists).not.toEqual([]));
		expect(ticks()).toEqual([false, false, true]);
		lists.forEach((list) => list());
		await vi.waitFor(() => expect(ticks()).toEqual([]));
		press(view, "Filter");
		expect(ticks()).toEqual([false, false, true]);

		press(view, "Save");
		await vi.waitFor(() => expect(lists).toHaveLength(2));
		press(view, "Remove");
		lists.forEach((list) => list());
		await new Promise((resolve) => window.setTimeout(resolve, 20));
		expect(view.element.querySelector(".sj-profile-work .sj-button-danger")?.textContent).toBe("Remove notes");
	});

	it("keep a question that was asked while the daemon still unlocks", async () => {
		let unlock = (): void => undefined;
		let now = profile({ locked: true });
		const daemon = new FakeDaemon()
			.on("GET /v1/profiles", () => ({ profiles: [now] }))
			.on("DELETE /v1/profiles/p1", () => ({}))
			.on(
				"POST /v1/profiles/p1/unlock",
				() => new Promise((answer) => (unlock = () => answer((now = profile())))),
			);
		const view = await shownBy(daemon);
		press(view, "Unlock");
		press(view, "Remove");
		unlock();
		await new Promise((resolve) => window.setTimeout(resolve, 20));
		press(view, "Remove notes");
		await vi.waitFor(() => expect(view.element.querySelector(".sj-profile-work")?.textContent).toBe(""));
		expect(daemon.asked.map(({ path }) => path)).toContain("/v1/profiles/p1");
	});

	it("keep the focus on what was pressed, or go back to what led to a question", async () => {
		let state: "idle" | "paused" = "idle";
		const daemon = new FakeDaemon()
			.on("GET /v1/profiles", () => ({ profiles: [profile({ vaults: [folder] })] }))
			.on("GET /v1/vaults", () => ({ vaults: [], home: "" }))
			.on("POST /v1/vaults/folders", () => ({ folders: [], loose_notes: 1, complete: true }))
			.on("POST /v1/pause", () => ((state = "paused"), {}))
			.on("GET /v1/status", () => status({ id: "p1", state }));
		const client = new Client(daemon);
		const connection = new Connection(client);
		const options = { host: new RecordingHost(), onChange: (): void => undefined };
		const view = new ProfilesView({ client: () => client, connection, ...options });
		document.body.replaceChildren(view.element);
		connection.start();
		await view.load();
		const use = (label: string): void => {
			const found = [...view.element.querySelectorAll("button")].find(({ textContent }) => textContent === label);
			found?.focus();
			found?.click();
		};
		const focused = (): string | null | undefined => document.activeElement?.textContent;
		use("Pause indexing");
		await vi.waitFor(() => expect(focused()).toBe("Resume indexing"));
		use("What may be read");
		await vi.waitFor(() => expect(view.element.querySelector(".sj-tree")).not.toBeNull());
		use("Cancel");
		expect(focused()).toBe("What may be read");
		use("Add a vault");
		await vi.waitFor(() => expect(view.element.querySelector(".sj-wizard .sj-field")).not.toBeNull());
		use("Cancel");
		expect(focused()).toBe("Add a vault");
		connection.stop();
		document.body.replaceChildren();
	});

	it("leave a button that is held where it is while notes are read", async () => {
		let done = 30;
		const daemon = new FakeDaemon()
			.on("GET /v1/profiles", () => ({ profiles: [profile()] }))
			.on("GET /v1/status", () => status({ id: "p1", state: "reading", done: (done += 1), total: 120 }));
		const client = new Client(daemon);
		const connection = new Connection(client);
		const options = { host: new RecordingHost(), onChange: (): void => undefined };
		const view = new ProfilesView({ client: () => client, connection, ...options });
		await view.load();
		connection.start();
		const state = (): string => view.element.querySelector(".sj-card-state")?.textContent ?? "";
		await vi.waitFor(() => expect(state()).toContain("31 of 120"));
		const button = (): Element | null => view.element.querySelector(".sj-card button");
		const held = button();
		held?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
		connection.retry();
		await vi.waitFor(() => expect(done).toBe(32));
		await new Promise((resolve) => window.setTimeout(resolve, 20));
		expect(button()).toBe(held);
		document.dispatchEvent(new MouseEvent("mouseup"));
		await vi.waitFor(() => expect(state()).toContain("32 of 120"));
		connection.stop();
	});

	const labels = (view: ProfilesView, selector: string): (string | null)[] =>
		[...view.element.querySelectorAll(selector)].map(({ textContent }) => textContent);

	it.each<[string, Partial<ProfileReply>, string[], string[], string, string[]]>([
		[
			"a file",
			{ protection: "none" },
			["What may be read", "Pause indexing", "Index again"],
			["Files beside notes", "Encryption", "Model", "Filter", "Back up", "Rename", "Lock", "Remove"],
			"its history and what was decided",
			["Not encrypted"],
		],
		[
			"an encrypted file",
			{ protection: "passphrase", encrypted: true },
			["What may be read", "Pause indexing", "Lock"],
			["Files beside notes", "Encryption", "Model", "Filter", "Back up", "Rename", "Index again", "Remove"],
			"its history and what was decided",
			["Encrypted by a passphrase"],
		],
		[
			"on a team's server",
			{ protection: "keyring", server: "postgresql://anna@db.example.org/notes" },
			["What may be read", "Pause indexing", "Index again"],
			["Files beside notes", "Model", "Filter", "Rename", "Lock", "Remove"],
			"The server keeps it",
			[],
		],
		["locked", { locked: true }, ["Unlock"], ["Remove"], "its history and what was decided", ["Not encrypted"]],
	])("that are %s offer three actions and a menu that ends in what can't be taken back", async (...row) => {
		const [, change, common, seldom, removed, protection] = row;
		const view = await shown(profile({ vaults: [folder], ...change }));
		expect(labels(view, ".sj-card-actions > .sj-button")).toEqual(common);
		expect(labels(view, ".sj-menu-list .sj-button")).toEqual(seldom);
		expect(labels(view, ".sj-menu-list .sj-button-danger")).toEqual(["Remove"]);
		expect(labels(view, ".sj-card-head .sj-badge")).toEqual(protection);
		document.body.append(view.element);
		view.element.querySelector<HTMLElement>(".sj-menu-button")?.click();
		view.element.querySelector<HTMLElement>(".sj-menu-list .sj-button-danger")?.click();
		expect(view.element.querySelector(".sj-profile-work")?.textContent).toContain(removed);
		expect(labels(view, ".sj-profile-work .sj-button-danger")).toEqual(["Remove notes"]);
		expect(document.activeElement?.textContent).toBe("Cancel");
		(document.activeElement as HTMLElement).click();
		expect(document.activeElement?.className).toContain("sj-menu-button");
		view.element.remove();
	});

	it("keep an open menu, and the focus, while the daemon tells how far it is", async () => {
		const client = new Client(
			new FakeDaemon()
				.on("GET /v1/profiles", () => ({ profiles: [profile({ vaults: [folder] })] }))
				.on("GET /v1/status", () => status({ id: "p1", state: "reading", done: 1, total: 2 })),
		);
		const connection = new Connection(client);
		const host = new RecordingHost();
		const view = new ProfilesView({ client: () => client, connection, host, onChange: () => undefined });
		await view.load();
		document.body.append(view.element);
		const opener = view.element.querySelector<HTMLElement>(".sj-menu-button");
		opener?.focus();
		opener?.click();
		connection.start();
		await vi.waitFor(() => expect(connection.current.phase).toBe("online"));
		expect(opener?.isConnected).toBe(true);
		expect(opener?.getAttribute("aria-expanded")).toBe("true");
		opener?.click();
		connection.retry();
		await vi.waitFor(() => expect(labels(view, ".sj-card-state")).toEqual(["Reading: 1 of 2"]));
		expect(document.activeElement?.className).toContain("sj-menu-button");
		connection.stop();
		view.element.remove();
	});

	it("with several vaults ask of which the folders are meant", async () => {
		const view = await shown(profile({ vaults: [folder, { ...folder, id: "v2", name: "Work" }] }));
		view.element.querySelector<HTMLElement>(".sj-card-actions > .sj-button")?.click();
		expect(labels(view, ".sj-profile-work button")).toEqual([
			"What may be read in Notes",
			"What may be read in Work",
			"Cancel",
		]);
	});
});

describe("a vault that Obsidian does not know", () => {
	it.each([
		["/home/anna/Notes", "/home/anna", "/home/anna/Diary"],
		["/Notes", "/", "/Diary"],
		["C:\\Users\\Anna\\Notes", "C:\\Users\\Anna", "C:\\Users\\Anna\\Diary"],
		["D:\\Notes", "D:\\", "D:\\Diary"],
	])("is found beside %s without typing a path", async (root, over, diary) => {
		const found = (name: string, notes: number) => ({ name, notes, has_folders: false });
		const daemon = new FakeDaemon()
			.on("GET /v1/vaults", () => ({ vaults: [], home: "/home/else" }))
			.on("POST /v1/vaults/folders", () => ({
				folders: [found("Diary", 4), found("Music", 0)],
				loose_notes: 0,
				complete: true,
				excluded_elsewhere: [],
			}));
		const client = new Client(daemon);
		const wizard = new VaultWizard({
			client: () => client,
			beside: root,
			onMade: () => undefined,
			onCancel: () => undefined,
		});
		await wizard.start();
		const rows = (): string[] =>
			[...wizard.element.querySelectorAll(".sj-browse li")].map(({ textContent }) => textContent ?? "");
		await vi.waitFor(() => expect(rows()).toContain("Diary4 notes"));
		expect(rows()).not.toContain("Music");
		expect(wizard.element.querySelector(".sj-browse")?.textContent).toContain(`Folders in ${over}`);
		[...wizard.element.querySelectorAll<HTMLElement>(".sj-browse button")]
			.find(({ textContent }) => textContent === "Diary")
			?.click();
		expect(wizard.element.querySelector("input")?.value).toBe(diary);
		const asked = (): unknown[] =>
			daemon.asked.filter(({ path }) => path === "/v1/vaults/folders").map(({ body }) => body);
		expect(asked()).toEqual([
			{ root: over, below: "." },
			{ root: diary, below: "." },
		]);
		await vi.waitFor(() =>
			expect(wizard.element.querySelector(".sj-browse p")?.textContent).toBe(`Folders in ${diary}`),
		);
		wizard.element.querySelector<HTMLElement>(".sj-browse button")?.click();
		expect(wizard.element.querySelector("input")?.value).toBe(over);
	});

	it("is no longer said to be no folder once another one is chosen, or typed", async () => {
		const daemon = new FakeDaemon()
			.on("GET /v1/vaults", () => ({ vaults: [], home: "/home/anna/Notes" }))
			.on("POST /v1/vaults/folders", ({ body }) => {
				if ((body as { root: string }).root === "/nowhere")
					return new Refused(404, { code: "not-found", detail: "/nowhere is not a folder." });
				return { folders: [], loose_notes: 0, complete: true, excluded_elsewhere: [] };
			});
		const client = new Client(daemon);
		const wizard = new VaultWizard({
			client: () => client,
			beside: null,
			onMade: () => undefined,
			onCancel: () => undefined,
		});
		await wizard.start();
		const path = wizard.element.querySelector("input");
		const press = (text: string): void =>
			[...wizard.element.querySelectorAll<HTMLElement>("button")]
				.find(({ textContent }) => textContent === text)
				?.click();
		const told = (): string | null => wizard.element.querySelector("[role=alert]")?.textContent ?? null;
		if (path === null) throw new Error("no field for a folder");
		await vi.waitFor(() => expect(wizard.element.textContent).toContain("One folder up"));
		for (const goOn of [
			() => press("One folder up"),
			() => {
				path.value = "/home/anna";
				path.dispatchEvent(new Event("input"));
			},
		]) {
			path.value = "/nowhere";
			press("Open");
			await vi.waitFor(() => expect(told()).toContain("/nowhere is not a folder."));
			goOn();
			expect(told()).toBe("");
		}
	});
});
