import { describe, expect, it, vi } from "vitest";
import { FetchTransport } from "../../src/host/page/fetchTransport";
import { PageHost } from "../../src/host/page/pageHost";
import { openSession, ticketIn } from "../../src/host/page/session";
import { FakeDaemon, Refused } from "../helpers/fakeDaemon";

const SESSION = { client: "page", scopes: ["search"], profiles: ["home"], csrf: "token" };

describe("the page's session", () => {
	it.each([
		["#ticket=abc-_1", "abc-_1"],
		["#status", null],
		["", null],
	])("finds the ticket in %s", (hash, want) => {
		expect(ticketIn(hash)).toBe(want);
	});

	it("turns the ticket into a session", async () => {
		const daemon = new FakeDaemon().on("POST /v1/session", () => SESSION);
		expect(await openSession(daemon, "abc")).toEqual(SESSION);
		expect(daemon.asked.map(({ body }) => body)).toEqual([{ ticket: "abc" }]);
	});

	it("goes on with the cookie after a reload, or when the ticket was used", async () => {
		const daemon = new FakeDaemon().on("POST /v1/session", () => new Refused(401, {})).on("GET /v1/session", () => SESSION);
		expect(await openSession(daemon, "used")).toEqual(SESSION);
		expect(await openSession(daemon, null)).toEqual(SESSION);
	});

	it("says that nothing lets it in", async () => {
		const daemon = new FakeDaemon().on("GET /v1/session", () => new Refused(401, { code: "unauthenticated" }));
		await expect(openSession(daemon, null)).rejects.toMatchObject({ isUnauthorized: true });
	});
});

describe("requests of the page", () => {
	it("carry the token in the header that only this page can send", async () => {
		const fetched = vi.spyOn(window, "fetch").mockImplementation(() => Promise.resolve(new Response('{"ok": true}', { status: 200 })));
		const transport = new FetchTransport();
		await transport.send({ method: "GET", path: "/v1/session" });
		transport.useCsrf("token");
		expect(await transport.send({ method: "POST", path: "/v1/search", body: { query: "x" } })).toEqual({ status: 200, body: { ok: true } });
		const headers = fetched.mock.calls.map(([, init]) => init?.headers);
		expect(headers[0]).not.toHaveProperty("X-Scrubjay-Csrf");
		expect(headers[1]).toMatchObject({ "X-Scrubjay-Csrf": "token", "Content-Type": "application/json" });
	});

	it("say that nobody answers", async () => {
		vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
		await expect(new FetchTransport().send({ method: "GET", path: "/" })).rejects.toMatchObject({ isUnreachable: true });
	});

	it("hear events whatever pieces they come in", async () => {
		const pieces = [": welcome\n\nid: 1\neve", "nt: indexing\ndata: {}\n\n", "event: changed\r\ndata: {}\n\n: still here\n\n"];
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
				controller.close();
			},
		});
		vi.spyOn(window, "fetch").mockResolvedValue(new Response(body, { status: 200 }));
		const heard: string[] = [];
		await new FetchTransport().events("/v1/events", (name) => heard.push(name), new AbortController().signal);
		expect(heard).toEqual(["indexing", "changed"]);
	});
});

describe("the page as a host", () => {
	it.each([
		["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", true],
		["Mozilla/5.0 (X11; Linux x86_64)", false],
		["Mozilla/5.0 (Windows NT 10.0)", false],
	])("knows the platform of %s", (userAgent, want) => {
		expect(new PageHost(document.body, { userAgent } as Navigator).isMac).toBe(want);
	});

	it("links by Obsidian's own scheme", () => {
		const host = new PageHost(document.body, { userAgent: "" } as Navigator);
		expect(host.linkTo({ vault: "Notes", path: "A/B.md", title: "B [draft]" })).toBe("[B draft](obsidian://open?vault=Notes&file=A%2FB)");
	});
});
