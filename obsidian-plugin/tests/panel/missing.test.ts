import { beforeEach, describe, expect, it } from "vitest";
import { Client } from "../../src/api/client";
import type { Status } from "../../src/api/wire";
import { CredentialsView } from "../../src/panel/credentials/credentialsView";
import { ReviewView } from "../../src/panel/review/reviewView";
import { QueryHistory } from "../../src/panel/search/box/history";
import { EmptyState } from "../../src/panel/search/emptyState";
import { missingWords } from "../../src/panel/status/words";
import { FakeDaemon, status } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

const NOTHING_READ = { notes: 0, on_disk: null };

describe("what every list lacks", () => {
	const { progress } = status().profiles[0] as Status["profiles"][number];

	it.each<[what: string, given: Status, words: string[]]>([
		["all is read", status(), []],
		["nothing was read", status(NOTHING_READ), ["home: nothing has been read yet"]],
		["the first look is under way", status({ ...NOTHING_READ, state: "scanning" }), ["home: Looking for changes"]],
		[
			"it is half read",
			status({ state: "reading", done: 2, total: 5, progress: { ...progress, unread: 3 } }),
			["home: Reading: 2 of 5"],
		],
		[
			"it is locked",
			status({ ...NOTHING_READ, state: "locked", reason: "Run `scrubjay unlock`." }),
			["home: Locked: Run `scrubjay unlock`."],
		],
		["its server is away", status({ ...NOTHING_READ, state: "away", reason: "" }), ["home: Server away"]],
		[
			"its vault is empty",
			status({ notes: 0, on_disk: { notes: 0, indexed: 0, left_out: 0, missing: 0, missing_paths: [] } }),
			[],
		],
		[
			"there is no profile",
			{ ...status(), profiles: [] },
			["No vault can be searched yet. Choose one, and what of it may be read."],
		],
	])("is said where %s", (_, given, words) => expect(missingWords(given)).toEqual(words));
});

describe("a list in which nothing stands", () => {
	let daemon: FakeDaemon;
	const nothing = { may_decide: true, unanswered: [] };

	beforeEach(() => {
		daemon = new FakeDaemon()
			.on("GET /v1/credentials", () => ({ ...nothing, credentials: [], decided: [] }))
			.on("GET /v1/review", () => ({ ...nothing, proposals: [], total: 0, counts: [], waiting: 0 }))
			.on("GET /v1/recent", () => ({ notes: [] }));
	});

	const options = (): { client: () => Client; host: RecordingHost } => {
		const client = new Client(daemon);
		return { client: () => client, host: new RecordingHost() };
	};
	const titles: Record<string, () => Promise<string>> = {
		"the credentials": async () => {
			const view = new CredentialsView(options());
			await view.load();
			return view.element.textContent ?? "";
		},
		"the review": async () => {
			const view = new ReviewView(options());
			await view.load();
			return view.element.textContent ?? "";
		},
		"the empty box": async () => {
			const { client, host } = options();
			const history = new QueryHistory(host.storage, () => false);
			const none = (): void => undefined;
			const state = new EmptyState({ client: client(), host, history, onFilter: none, onChange: none });
			await state.load();
			return state.notice()?.textContent ?? "";
		},
	};

	it.each(Object.entries(titles))("is no reassurance where nothing was read: %s", async (_, told) => {
		daemon.on("GET /v1/status", () => status(NOTHING_READ));
		expect(await told()).toMatch(/Not everything has been read yet.*home: nothing has been read yet/);
		daemon.on("GET /v1/status", () => status());
		expect(await told()).not.toContain("read yet");
	});
});
