import { describe, expect, it, vi } from "vitest";
import { Client } from "../../../src/api/client";
import type { ProfileReply } from "../../../src/api/wire";
import { ProfilesView } from "../../../src/panel/profiles/profilesView";
import { Connection } from "../../../src/panel/status/connection";
import { FakeDaemon } from "../../helpers/fakeDaemon";
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
		const client = new Client(daemon);
		const connection = new Connection(client);
		const view = new ProfilesView({
			client: () => client,
			connection,
			host: new RecordingHost(),
			onChange: () => undefined,
		});
		await view.load();
		const press = (label: string): void =>
			[...view.element.querySelectorAll("button")].find(({ textContent }) => textContent === label)?.click();
		const ticks = (): boolean[] =>
			[...view.element.querySelectorAll<HTMLInputElement>("input[type=checkbox]")].map(({ checked }) => checked);

		press("Filter");
		expect(ticks()).toEqual([false, false, false]);
		view.element.querySelectorAll<HTMLInputElement>("input[type=checkbox]")[2]?.click();
		press("Save");
		await vi.waitFor(() => expect(lists).not.toEqual([]));
		expect(ticks()).toEqual([false, false, true]);
		lists.forEach((list) => list());
		await vi.waitFor(() => expect(ticks()).toEqual([]));
		press("Filter");
		expect(ticks()).toEqual([false, false, true]);
	});

	it.each([
		["a file", "", ["Encryption", "Model", "Filter", "Back up"], "its history and what was decided"],
		["on a team's server", "postgresql://anna@db.example.org/notes", ["Model", "Filter"], "The server keeps it"],
	])("that are %s offer what can be done there", async (_, server, more, removed) => {
		const client = new Client(
			new FakeDaemon().on("GET /v1/profiles", () => ({
				profiles: [profile({ server, protection: server ? "keyring" : "none" })],
			})),
		);
		const view = new ProfilesView({
			client: () => client,
			connection: new Connection(client),
			host: new RecordingHost(),
			onChange: () => undefined,
		});
		await view.load();
		expect(
			[...view.element.querySelectorAll(".sj-profile-more button")].map(({ textContent }) => textContent),
		).toEqual(more);
		[...view.element.querySelectorAll("button")].find(({ textContent }) => textContent === "Remove")?.click();
		expect(view.element.querySelector(".sj-profile-work")?.textContent).toContain(removed);
	});
});
