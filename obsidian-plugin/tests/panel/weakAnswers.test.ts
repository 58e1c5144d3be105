import { describe, expect, it } from "vitest";
import type { SearchAsk, SearchResponse } from "../../src/api/wire";
import { Offers } from "../../src/panel/search/offers";
import { offersFor, remediesFor, type Weak } from "../../src/panel/search/remedies";
import type { Scope } from "../../src/panel/search/scopeBar";
import { response, result } from "../helpers/fakeDaemon";

const SCOPE: Scope = { profiles: undefined, mode: "hybrid", sort: "relevance" };
const weak = (query: string, change: Partial<Weak> = {}): Weak => ({
	query,
	scope: SCOPE,
	response: response([result()], { relevance: "low" }),
	profiles: ["home", "work"],
	...change,
});
const absent = response([result()], {
	relevance: "low",
	notices: [{ code: "absent-words", text: "", words: ["xylophone"], query: "" }],
});

describe("what could help a weak answer", () => {
	it.each<[name: string, weak: Weak, labels: string[]]>([
		[
			"a word that no note has",
			weak("bread xylophone", { response: absent }),
			["without xylophone", "without bread"],
		],
		["a filter", weak("bread tag:rye -path:Old"), ["without tag:rye", "without -path:Old"]],
		["a phrase", weak('"sour dough"'), ["without quotation marks"]],
		["one of several words", weak("sour dough"), ["without sour", "without dough"]],
		["a chosen profile", weak("bread", { scope: { ...SCOPE, profiles: ["home"] } }), ["in work"]],
		["a mode", weak("bread", { scope: { ...SCOPE, mode: "lexical" } }), ["by words and meaning"]],
		["nothing to change", weak("bread"), []],
	])("is tried for %s", (_, given, labels) => expect(remediesFor(given).map(({ label }) => label)).toEqual(labels));

	it("is offered where it finds something likelier, the likeliest first, with how much", async () => {
		const replies: Record<string, Partial<SearchResponse>> = {
			dough: { relevance: "medium", total_notes: 7 },
			sour: { relevance: "high", total_notes: 2 },
			"sour dough": { relevance: "low", total_notes: 900 },
		};
		const asked: SearchAsk[] = [];
		const offers = await offersFor(weak("sour dough tag:x"), (request) => {
			asked.push(request);
			return Promise.resolve(response([result()], replies[request.query.replace(" tag:x", "")] ?? {}));
		});
		expect(offers.map(({ label, notes }) => `${label}: ${notes}`)).toEqual([
			"without dough: 2 notes",
			"without sour: 7 notes",
		]);
		expect(asked.every(({ remember, limit }) => remember === false && limit === 1)).toBe(true);
	});

	it("is whatever finds anything, where nothing was found", async () => {
		const nothing = weak("sour dough", { response: response([], { relevance: "low" }) });
		const offers = await offersFor(nothing, ({ query }) =>
			Promise.resolve(
				query === "dough"
					? response([result()], { relevance: "low", total_notes: 1 })
					: response([], { relevance: "low" }),
			),
		);
		expect(offers.map(({ query, notes }) => [query, notes])).toEqual([["dough", "1 note"]]);
	});
});

describe("the offers", () => {
	it("are taken by number, and gone with the next query", async () => {
		const taken: string[] = [];
		const offers = new Offers(
			() => Promise.resolve(response([result()], { relevance: "high", total_notes: 3 })),
			false,
			({ query }) => taken.push(query),
		);
		await offers.help(weak("sour dough"));
		expect([...offers.element.children].map((chip) => chip.textContent)).toEqual([
			"without sour 3 notes Alt 1",
			"without dough 3 notes Alt 2",
		]);
		expect([offers.take(2), offers.take(3), taken]).toEqual([true, false, ["sour"]]);
		await offers.help(null);
		expect([offers.element.hidden, offers.take(1)]).toEqual([true, false]);
	});

	it("never show what an older search would have needed", async () => {
		const waiting: ((reply: SearchResponse) => void)[] = [];
		const offers = new Offers(
			() => new Promise((answer) => waiting.push(answer)),
			false,
			() => undefined,
		);
		const older = offers.help(weak("sour dough"));
		void offers.help(null);
		for (const answer of waiting) answer(response([result()], { relevance: "high" }));
		await older;
		expect(offers.element.hidden).toBe(true);
	});

	it("are none where the daemon does not answer", async () => {
		const offers = new Offers(
			() => Promise.reject(new Error("away")),
			false,
			() => undefined,
		);
		await offers.help(weak("sour dough"));
		expect(offers.element.hidden).toBe(true);
	});
});
