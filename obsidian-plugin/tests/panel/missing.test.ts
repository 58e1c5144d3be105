import { beforeEach, describe, expect, it } from "vitest";
import { Client } from "../../src/api/client";
import type { Status } from "../../src/api/wire";
import { CredentialsView } from "../../src/panel/credentials/credentialsView";
import { SearchesView } from "../../src/panel/history/searchesView";
import { RelatedAnswers } from "../../src/panel/notes/relatedAnswers";
import { RelatedView } from "../../src/panel/notes/relatedView";
import { ReviewView } from "../../src/panel/review/reviewView";
import { QueryHistory } from "../../src/panel/search/box/history";
import { EmptyState } from "../../src/panel/search/emptyState";
import { NamedSearches } from "../../src/panel/search/namedSearches";
import { missingWords } from "../../src/panel/status/words";
import { FakeDaemon, onDisk, status } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

const REASSURING = /No credentials found|tidy|No such searches|No clusters|Nothing related|Ask in your own words/;
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
		["its vault is empty", status({ notes: 0, on_disk: onDisk({}) }), []],
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
			.on("GET /v1/recent", () => ({ notes: [] }))
			.on("GET /v1/history", () => ({ events: [] }))
			.on("GET /v1/related", () => ({ notes: [] }));
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
		"the history": async () => {
			const view = new SearchesView({ ...options(), onSearch: () => undefined });
			await view.load();
			return view.element.textContent ?? "";
		},
		"related notes": async () => {
			const { client, host } = options();
			const view = new RelatedView({
				client,
				answers: new RelatedAnswers(client),
				host,
				context: () => ({ now: new Date(), colours: new Map(), showProfile: false }),
				active: () => ({ vault: "Notes", path: "A.md", title: "A" }),
			});
			await view.update();
			const said = view.element.textContent ?? "";
			view.dispose();
			return said;
		},
		"the empty box": async () => {
			const { client, host } = options();
			const history = new QueryHistory(host.storage, () => false);
			const none = (): void => undefined;
			const named = new NamedSearches(host.storage);
			const state = new EmptyState({ client: client(), host, history, named, onFilter: none, onChange: none });
			await state.load();
			return state.notice()?.textContent ?? "";
		},
	};

	const { progress } = status().profiles[0] as Status["profiles"][number];
	const states: [state: string, given: Status, words: string][] = [
		["nothing was read", status(NOTHING_READ), "home: nothing has been read yet"],
		[
			"half is read",
			status({ state: "reading", done: 2, total: 5, progress: { ...progress, unread: 3 } }),
			"home: Reading: 2 of 5",
		],
		["all is locked", status({ ...NOTHING_READ, state: "locked", reason: "" }), "home: Locked"],
		["the server is away", status({ ...NOTHING_READ, state: "away", reason: "" }), "home: Server away"],
	];

	it.each(Object.entries(titles).flatMap(([list, told]) => states.map((state) => [list, ...state, told] as const)))(
		"is no reassurance: %s, where %s",
		async (_list, _state, given, words, told) => {
			daemon.on("GET /v1/status", () => given);
			const said = await told();
			expect(said).toContain("Not everything has been read yet");
			expect(said).toContain(words);
			expect(said).not.toMatch(REASSURING);
			daemon.on("GET /v1/status", () => status());
			expect(await told()).not.toContain("read yet");
		},
	);
});
