import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchAsk, SearchResponse } from "../../src/api/wire";
import type { Mode } from "../../src/api/words";
import { ApiError } from "../../src/api/errors";
import type { Scope } from "../../src/panel/search/scopeBar";
import { PAUSE_MS, SearchSession, type SessionState } from "../../src/panel/search/session";
import { response, result } from "../helpers/fakeDaemon";

interface Pending {
	request: SearchAsk;
	answer: (reply: SearchResponse) => void;
	fail: (error: Error) => void;
}

describe("a search session", () => {
	let pending: Pending[];
	let states: SessionState[];
	let session: SearchSession;
	let scope: Scope;
	const begin = ({
		mode = "hybrid",
		...options
	}: Partial<{ mode: Mode; limit: number; asYouType: boolean }> = {}): void => {
		scope = { profiles: undefined, mode, sort: "relevance" };
		const settings = { limit: 2, asYouType: true, ...options };
		pending = [];
		states = [];
		const ask = (request: SearchAsk): Promise<SearchResponse> =>
			new Promise((answer, fail) => pending.push({ request, answer, fail }));
		session = new SearchSession(
			ask,
			() => settings,
			scope,
			(state) => states.push(state),
		);
	};
	const now = (): SessionState | undefined => states.at(-1);
	const answer = async (index: number, title: string, found = 1): Promise<void> => {
		pending[index]?.answer(response(Array.from({ length: found }, () => result({ title }))));
		await vi.advanceTimersByTimeAsync(0);
	};

	beforeEach(() => {
		vi.useFakeTimers();
		begin();
	});
	afterEach(() => vi.useRealTimers());

	it("asks by words at once and in the chosen mode after a pause", async () => {
		session.type("dough");
		expect(pending.map(({ request }) => [request.mode, request.typing])).toEqual([["lexical", true]]);
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		expect(pending.map(({ request }) => [request.mode, request.typing])).toEqual([
			["lexical", true],
			["hybrid", false],
		]);
	});

	it("does not wait for a reply that hangs: after three seconds the next query is asked", async () => {
		begin({ mode: "lexical" });
		session.go("dough", scope);
		session.go("bread", scope);
		await vi.advanceTimersByTimeAsync(2_900);
		expect(pending.map(({ request }) => request.query)).toEqual(["dough"]);
		await vi.advanceTimersByTimeAsync(200);
		expect(pending.map(({ request }) => request.query)).toEqual(["dough", "bread"]);
		await answer(1, "new");
		await answer(0, "late");
		expect(now()?.response?.results[0]?.title).toBe("new");
	});

	it("shows a quick reply that typing has overtaken until the next one comes", async () => {
		session.type("d");
		session.type("do");
		await answer(0, "old");
		expect(now()).toMatchObject({ query: "do", answered: "d", busy: true });
		await answer(1, "new");
		expect(now()?.response?.results[0]?.title).toBe("new");
		expect(now()?.answered).toBe("do");
	});

	it("drops a full reply to a query that is no longer in the box", async () => {
		session.type("d");
		await answer(0, "quick");
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		session.type("do");
		await answer(2, "newer");
		await answer(1, "stale");
		expect(now()?.response?.results[0]?.title).toBe("newer");
	});

	it.each<[name: string, change: () => void]>([
		["the box was emptied", () => session.type("")],
		["other profiles were chosen", () => session.setScope({ ...scope, profiles: ["work"] })],
	])("drops a quick reply from before %s", async (_, change) => {
		session.type("d");
		change();
		session.type("do");
		await answer(0, "stale");
		expect(now()?.response).toBeNull();
	});

	it("keeps at most one quick request under way and forgets those between", async () => {
		for (const query of ["d", "do", "dou", "doug", "dough"]) session.type(query);
		expect(pending.map(({ request }) => request.query)).toEqual(["d"]);
		await answer(0, "d");
		expect(pending.map(({ request }) => request.query)).toEqual(["d", "dough"]);
	});

	it("does not let a late quick reply replace the full one", async () => {
		session.type("dough");
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		await answer(1, "full");
		await answer(0, "quick");
		expect(now()?.response?.results[0]?.title).toBe("full");
		expect(now()?.busy).toBe(false);
	});

	it("asks by meaning only after the pause", async () => {
		begin({ mode: "semantic" });
		session.type("dough");
		expect(pending).toHaveLength(0);
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		expect(pending.map(({ request }) => request.mode)).toEqual(["semantic"]);
	});

	it("shows near copies each by itself until the query changes", async () => {
		session.type("dough");
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		await answer(0, "quick");
		await answer(1, "full");
		session.unfold();
		expect(pending.at(-1)?.request).toMatchObject({ query: "dough", fold: false });
		session.type("doughnut");
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		expect(pending.at(-1)?.request.fold).toBeUndefined();
	});

	it("waits for Enter where the user wants that", async () => {
		begin({ asYouType: false });
		session.type("dough");
		await vi.advanceTimersByTimeAsync(1000);
		expect(pending).toHaveLength(0);
		session.settle();
		expect(pending).toHaveLength(1);
	});

	it("reads on from page to page to the end", async () => {
		session.type("dough");
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		await answer(0, "quick", 2);
		pending[1]?.answer(
			response([result({ title: "one" }), result({ title: "two" })], { next_offset: 3, total_notes: 4 }),
		);
		await vi.advanceTimersByTimeAsync(0);
		session.more();
		session.more();
		expect(pending[2]?.request).toMatchObject({ query: "dough", offset: 3, limit: 2, typing: false });
		pending[2]?.answer(response([result({ title: "three" })], { total_notes: 4 }));
		await vi.advanceTimersByTimeAsync(0);
		expect(now()?.response?.results.map(({ title }) => title)).toEqual(["one", "two", "three"]);
		session.more();
		expect(pending).toHaveLength(3);
	});

	it("drops a page of a query that is no longer in the box", async () => {
		session.type("dough");
		await vi.advanceTimersByTimeAsync(PAUSE_MS);
		pending[1]?.answer(response([result({ title: "one" })], { next_offset: 1 }));
		await vi.advanceTimersByTimeAsync(0);
		session.more();
		session.type("bread");
		pending[2]?.answer(response([result({ title: "two" })]));
		await vi.advanceTimersByTimeAsync(0);
		expect(now()?.response?.results.map(({ title }) => title)).toEqual(["one"]);
	});

	it("asks again after a change of the index without a place in the history, which what the user asks has", async () => {
		session.type("dough");
		session.settle();
		await answer(0, "quick");
		await answer(1, "first");
		session.refresh();
		session.again();
		await answer(2, "second");
		expect(pending.slice(1).map(({ request }) => request.remember)).toEqual([undefined, false, undefined]);
	});

	it("asks again for as much as is shown, with what was asked for beside", async () => {
		session.type("dough");
		session.unfold();
		pending.at(-1)?.answer(response([result({ title: "one" }), result({ title: "two" })], { next_offset: 2 }));
		await vi.advanceTimersByTimeAsync(0);
		session.more();
		pending.at(-1)?.answer(response([result({ title: "three" })]));
		await vi.advanceTimersByTimeAsync(0);
		session.refresh();
		expect(pending.at(-1)?.request).toMatchObject({ query: "dough", fold: false, limit: 3, remember: false });
	});

	it("asks again when the profiles or the mode change", async () => {
		session.type("dough");
		session.setScope({ ...scope, profiles: ["work"] });
		session.setScope({ ...scope, profiles: ["work"], mode: "lexical" });
		await answer(0, "quick");
		await answer(1, "first");
		expect(pending.at(-1)?.request).toMatchObject({ profiles: ["work"], mode: "lexical", typing: false });
	});

	it("tells of an error and clears it with the next query", async () => {
		session.type("dough");
		pending[0]?.fail(ApiError.unreachable());
		await vi.advanceTimersByTimeAsync(0);
		expect(now()?.error?.isUnreachable).toBe(true);
		session.type("doug");
		expect(now()?.error).toBeNull();
	});

	it("asks nothing for blanks and forgets the answer", () => {
		session.type("   ");
		expect(pending).toHaveLength(0);
		expect(now()).toMatchObject({ response: null, busy: false });
	});
});
