import { describe, expect, it } from "vitest";
import { Client } from "../../src/api/client";
import type { ApiRequest } from "../../src/api/transport";
import { ApiError, asApiError } from "../../src/api/errors";
import { FakeDaemon, Refused } from "../helpers/fakeDaemon";

describe("the client", () => {
	it.each([403, 404, 405, 501])(
		"takes a %i of an optional endpoint as a feature that is not there",
		async (status) => {
			const daemon = new FakeDaemon();
			for (const path of ["/v1/recent", "/v1/related", "/v1/suggest", "/v1/credentials", "/v1/clients"])
				daemon.on(`GET ${path}`, () => new Refused(status, { status }));
			const client = new Client(daemon);
			expect(
				await Promise.all([
					client.askIfOffered("GET /v1/recent", { limit: 3 }),
					client.askIfOffered("GET /v1/related", { vault: "V", path: "a.md" }),
					client.askIfOffered("GET /v1/suggest", { kind: "tag", prefix: "x" }),
					client.askIfOffered("GET /v1/credentials"),
					client.askIfOffered("GET /v1/clients"),
				]),
			).toEqual([null, null, null, null, null]);
		},
	);

	it("passes on what else an optional endpoint says", async () => {
		const daemon = new FakeDaemon().on(
			"GET /v1/recent",
			() => new Refused(503, { code: "busy", detail: "Too many requests at once." }),
		);
		await expect(new Client(daemon).askIfOffered("GET /v1/recent")).rejects.toMatchObject({
			code: "busy",
			status: 503,
			message: "Too many requests at once.",
		});
	});

	it.each<[name: string, request: (client: Client) => Promise<unknown>, sent: ApiRequest]>([
		[
			"what the path of a POST names in the path, the rest in the body",
			(client) => client.ask("POST /v1/pairing/{request_id}/proof", { request_id: "a/b", proof: "c" }),
			{ method: "POST", path: "/v1/pairing/a%2Fb/proof", body: { proof: "c" } },
		],
		[
			"an empty body where there is nothing to say",
			(client) => client.ask("POST /v1/profiles/{profile_id}/lock", { profile_id: "a1" }),
			{ method: "POST", path: "/v1/profiles/a1/lock", body: {} },
		],
		[
			"null in a body, but nothing undefined",
			(client) => client.ask("POST /v1/review/clear", { by: null, profile: undefined }),
			{ method: "POST", path: "/v1/review/clear", body: { by: null } },
		],
		[
			"what the path of a GET names in the path, the rest in the query, nothing of it null or undefined",
			(client) => client.ask("GET /v1/notes/{chunk_id}", { chunk_id: "c1", profile: null, path: undefined }),
			{ method: "GET", path: "/v1/notes/c1" },
		],
		[
			"flags and numbers in a query",
			(client) => client.ask("GET /v1/history", { missed: false, limit: 5 }),
			{ method: "GET", path: "/v1/history?missed=false&limit=5" },
		],
		[
			"with patience what takes long",
			(client) => client.ask("POST /v1/ask", { question: "why" }),
			{ method: "POST", path: "/v1/ask", body: { question: "why" }, seconds: 630 },
		],
	])("sends %s", async (_, request, sent) => {
		const daemon = new FakeDaemon();
		await expect(request(new Client(daemon))).rejects.toMatchObject({ status: 404 });
		expect(daemon.asked).toEqual([sent]);
		expect(Object.keys(daemon.asked[0]?.body ?? {})).toEqual(Object.keys(sent.body ?? {}));
	});

	it("escapes what goes into the address", async () => {
		const daemon = new FakeDaemon().on("GET /v1/related", () => ({ notes: [] }));
		await new Client(daemon).ask("GET /v1/related", { vault: "My vault", path: "A & B/ü.md", line: 3 });
		expect(daemon.asked[0]?.path).toBe("/v1/related?vault=My+vault&path=A+%26+B%2F%C3%BC.md&line=3");
	});

	it.each<[name: string, body: unknown, code: string, message: string]>([
		["a problem", { code: "usage", detail: "Too long.", title: "Usage" }, "usage", "Too long."],
		["a title alone", { code: "usage", title: "Usage" }, "usage", "Usage"],
		["no JSON", null, "http-500", ""],
		["something else", ["x"], "http-500", ""],
	])("reads %s", (_, body, code, message) => {
		expect(ApiError.of({ status: 500, body })).toMatchObject({ code, message, status: 500 });
	});

	it("makes any thrown thing an error of its own", () => {
		expect(asApiError(new TypeError("broken")).message).toBe("broken");
		expect(asApiError("text").message).toBe("text");
		expect(asApiError(ApiError.unreachable()).isUnreachable).toBe(true);
	});
});
