import { describe, expect, it } from "vitest";
import { Client } from "../../src/api/client";
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
					client.recent(3),
					client.related("V", "a.md"),
					client.suggest("tag", "x"),
					client.credentials(),
					client.clients(),
				]),
			).toEqual([null, null, null, null, null]);
		},
	);

	it("passes on what else an optional endpoint says", async () => {
		const daemon = new FakeDaemon().on(
			"GET /v1/recent",
			() => new Refused(503, { code: "busy", detail: "Too many requests at once." }),
		);
		await expect(new Client(daemon).recent(3)).rejects.toMatchObject({
			code: "busy",
			status: 503,
			message: "Too many requests at once.",
		});
	});

	it("escapes what goes into the address", async () => {
		const daemon = new FakeDaemon().on("GET /v1/related", () => ({ notes: [] }));
		await new Client(daemon).related("My vault", "A & B/ü.md", 3);
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
