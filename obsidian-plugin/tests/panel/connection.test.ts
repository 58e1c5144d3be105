import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { VaultReply } from "../../src/api/wire";
import { Client } from "../../src/api/client";
import { Connection, delayAfter, isWorking, type Phase } from "../../src/panel/status/connection";
import { folderWords, percent, profileWords, shortWords, sizeWords } from "../../src/panel/status/words";
import { ApiError } from "../../src/api/errors";
import { errorNotice, learnCommand, startCommand } from "../../src/panel/shared/notice";
import { FakeDaemon, Refused, status } from "../helpers/fakeDaemon";

describe("the connection", () => {
	let daemon: FakeDaemon;
	let connection: Connection;
	let phases: Phase[];

	beforeEach(() => {
		vi.useFakeTimers();
		daemon = new FakeDaemon().on("GET /v1/status", () => status());
		connection = new Connection(new Client(daemon));
		phases = [];
		connection.listen(({ phase }) => phases.push(phase));
	});
	afterEach(() => {
		connection.stop();
		vi.useRealTimers();
	});

	it("comes up, notices that the daemon left, and that it is back", async () => {
		connection.start();
		await vi.advanceTimersByTimeAsync(0);
		daemon.isAway = true;
		await vi.advanceTimersByTimeAsync(20_000);
		daemon.isAway = false;
		await vi.advanceTimersByTimeAsync(1_000);
		expect(phases).toEqual(["connecting", "online", "offline", "online"]);
	});

	it("notices at once when a request of somebody else is lost, and comes back", async () => {
		const client = new Client(daemon);
		connection.use(client);
		let returns = 0;
		connection.onReturn(() => (returns += 1));
		connection.start();
		await vi.advanceTimersByTimeAsync(0);
		daemon.isAway = true;
		await expect(client.ask("GET /v1/recent", { limit: 3 })).rejects.toMatchObject({ isUnreachable: true });
		expect(phases.at(-1)).toBe("offline");
		daemon.isAway = false;
		await vi.advanceTimersByTimeAsync(500);
		expect([phases.at(-1), returns]).toEqual(["online", 1]);
	});

	it("asks ever more seldom while nobody answers", async () => {
		daemon.isAway = true;
		connection.start();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(daemon.asked.length).toBeLessThan(8);
	});

	it("tells a missing token from a missing daemon", async () => {
		daemon.on(
			"GET /v1/status",
			() => new Refused(401, { code: "unauthenticated", status: 401, detail: "A token is needed." }),
		);
		connection.start();
		await vi.advanceTimersByTimeAsync(0);
		expect(phases.at(-1)).toBe("unauthorized");
	});

	it("learns what starts the daemon here, for when it is away", async () => {
		daemon.on("GET /v1/status", () => ({ ...status(), command: "SCRUBJAY_HOME=/trial /venv/scrubjay" }));
		connection.start();
		await vi.advanceTimersByTimeAsync(0);
		expect(errorNotice(ApiError.unreachable()).textContent).toContain("SCRUBJAY_HOME=/trial /venv/scrubjay start");
		daemon.on("GET /v1/status", () => ({ ...status(), command: "" }));
		connection.retry();
		await vi.advanceTimersByTimeAsync(0);
		expect(startCommand()).toBe("SCRUBJAY_HOME=/trial /venv/scrubjay start");
		learnCommand("scrubjay");
	});

	it("is silent once stopped", async () => {
		connection.start();
		await vi.advanceTimersByTimeAsync(0);
		connection.stop();
		const before = daemon.asked.length;
		await vi.advanceTimersByTimeAsync(120_000);
		expect(daemon.asked.length).toBe(before);
	});

	it("looks once after a burst of events", async () => {
		let send: (name: string) => void = () => undefined;
		const events = (_: string, onEvent: (name: string) => void): Promise<void> => {
			send = onEvent;
			return new Promise(() => undefined);
		};
		const streaming = Object.assign(daemon, { events });
		const heard: string[] = [];
		connection.use(new Client(streaming));
		connection.hear((name) => heard.push(name));
		connection.start();
		await vi.advanceTimersByTimeAsync(0);
		const before = daemon.asked.length;
		for (let burst = 0; burst < 20; burst += 1) send("indexing");
		await vi.advanceTimersByTimeAsync(1_000);
		expect(heard).toHaveLength(20);
		expect(daemon.asked.length).toBe(before + 1);
	});

	it("looks while events never cease, too", async () => {
		let send: (name: string) => void = () => undefined;
		const events = (_: string, onEvent: (name: string) => void): Promise<void> => {
			send = onEvent;
			return new Promise(() => undefined);
		};
		connection.use(new Client(Object.assign(daemon, { events })));
		connection.start();
		await vi.advanceTimersByTimeAsync(0);
		const before = daemon.asked.length;
		for (let beat = 0; beat < 50; beat += 1) {
			send("indexing");
			await vi.advanceTimersByTimeAsync(200);
		}
		expect(daemon.asked.length - before).toBeGreaterThan(15);
	});

	it.each([
		[0, 1_000],
		[1, 1_000],
		[2, 2_000],
		[5, 16_000],
		[40, 30_000],
	])("waits after %i failures for %i ms", (failures, want) => {
		expect(delayAfter({ phase: "offline", status: null }, failures)).toBe(want);
	});
});

describe("words for the state", () => {
	it.each([
		["away", { phase: "offline" as const, status: null }, "off", "Not running"],
		["at rest", { phase: "online" as const, status: status() }, "good", "3 notes"],
		[
			"at work",
			{ phase: "online" as const, status: status({ state: "embedding", done: 50, total: 200 }) },
			"busy",
			"Reading for meaning: 25%",
		],
		[
			"at work, whatever is left to do of what is paused",
			{
				phase: "online" as const,
				status: {
					...status(),
					profiles: [
						...status({ state: "paused", done: 1, total: 200 }).profiles,
						...status({ name: "work", state: "scanning" }).profiles,
					],
				},
			},
			"busy",
			"Looking for changes",
		],
		[
			"paused",
			{
				phase: "online" as const,
				status: {
					...status(),
					profiles: [...status().profiles, ...status({ name: "work", state: "paused" }).profiles],
				},
			},
			"paused",
			"work: Paused",
		],
		[
			"in trouble, whatever else it works at",
			{
				phase: "online" as const,
				status: {
					...status(),
					profiles: [
						...status({ state: "reading" }).profiles,
						...status({ name: "work", state: "failed" }).profiles,
					],
				},
			},
			"off",
			"work: Failed",
		],
		["not paired", { phase: "unauthorized" as const, status: null }, "off", "Not paired"],
	])("%s", (_, state, light, words) => {
		expect(shortWords(state)).toEqual({ light, text: words });
	});

	it("never says 100% before the end", () => {
		expect([percent(0, 0), percent(999, 1000), percent(9_999, 10_000), percent(3, 3)]).toEqual([100, 99, 99, 100]);
	});

	it("tells what a profile does and why it stopped", () => {
		const words = (change: Parameters<typeof status>[0]): string =>
			profileWords(status(change).profiles[0] as never);
		expect(words({})).toBe("Up to date");
		expect(words({ state: "reading", done: 1, total: 2_000, eta_seconds: 120 })).toBe(
			"Reading: 1 of 2,000, about 2 min left",
		);
		expect(words({ state: "paused", done: 1, total: 2_000, eta_seconds: 120 })).toBe("Paused: 1 of 2,000");
		expect(words({ state: "locked", reason: "its key is not in the keyring" })).toBe(
			"Locked: its key is not in the keyring",
		);
		expect(words({ state: "away", reason: "db.example.org does not answer" })).toBe(
			"Server away: db.example.org does not answer",
		);
		expect(words({ state: "idle", pending_embeddings: 4 })).toBe("4 passages found by words only for now");
	});

	it("says which folders are read", () => {
		const vault = (allow: string[], exclude: string[] = []): VaultReply => ({
			id: "a1",
			root: null,
			own: false,
			name: "Notes",
			allow,
			exclude,
			inbox: "",
		});
		expect(folderWords({ vaults: [vault(["."], ["Private"])], encrypted: true, server: "" })).toBe(
			"Notes: the whole vault, without Private. Encrypted.",
		);
		expect(folderWords({ vaults: [vault(["A", "B", "C"]), vault([])], encrypted: false, server: "" })).toBe(
			"Notes: A, B and C; Notes: nothing.",
		);
		expect(folderWords({ vaults: [], encrypted: false, server: "" })).toBe("No vault.");
		const server = "postgresql://anna@db.example.org/notes";
		expect(folderWords({ vaults: [vault(["A"])], encrypted: false, server })).toBe(
			`Notes: A. On the server ${server}.`,
		);
	});

	it.each([
		[0, "0 B"],
		[999, "999 B"],
		[3_400, "3.4 kB"],
		[340_000, "340 kB"],
		[2_150_000, "2.1 MB"],
		[7e12, "7,000 GB"],
	])("%i bytes are %s", (bytes, want) => {
		expect(sizeWords(bytes)).toBe(want);
	});

	it("rests while a profile is locked or paused", () => {
		expect([
			isWorking(status({ state: "locked" })),
			isWorking(status({ state: "paused" })),
			isWorking(status({ state: "scanning" })),
		]).toEqual([false, false, true]);
	});
});
