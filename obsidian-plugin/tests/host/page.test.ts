import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { FetchTransport } from "../../src/host/page/fetchTransport";
import { h } from "../../src/panel/shared/dom";
import { PageHost } from "../../src/host/page/pageHost";
import { pageKey, type KeyStore } from "../../src/host/page/pageKey";
import { openSession, ticketIn, type KeyedTransport } from "../../src/host/page/session";
import { placeOf, wholeNote } from "../../src/panel/host";
import { FakeDaemon, Refused, result } from "../helpers/fakeDaemon";

const SESSION = { client: "page", scopes: ["search"], profiles: ["home"], key: "ab".repeat(32) };
const answerOf = (instance: string): string => createHmac("sha256", SESSION.key).update(instance).digest("hex");

class MemoryKeys implements KeyStore {
	kept: CryptoKey | null = null;

	load(): Promise<CryptoKey | null> {
		return Promise.resolve(this.kept);
	}

	save(key: CryptoKey): Promise<void> {
		this.kept = key;
		return Promise.resolve();
	}
}

class KeyedDaemon extends FakeDaemon implements KeyedTransport {
	key: CryptoKey | null = null;

	useKey(key: CryptoKey): void {
		this.key = key;
	}
}

describe("a daemon that is frozen", () => {
	it("is given up after a time, and told as one that does not answer", async () => {
		vi.useFakeTimers();
		vi.spyOn(window, "fetch").mockImplementation(
			(_, init) =>
				new Promise((__, fail) => init?.signal?.addEventListener("abort", () => fail(new Error("aborted")))),
		);
		const told = new FetchTransport().send({ method: "GET", path: "/v1/status" }).catch((error: unknown) => error);
		await vi.advanceTimersByTimeAsync(20_000);
		expect(await told).toMatchObject({ code: "unreachable" });
		vi.useRealTimers();
	});
});

describe("the page's session", () => {
	it.each([
		["#ticket=abc-_1", "abc-_1"],
		["#status", null],
		["", null],
	])("finds the ticket in %s", (hash, want) => {
		expect(ticketIn(hash)).toBe(want);
	});

	it("turns the ticket into a session, and keeps its key where no script can read it", async () => {
		const keys = new MemoryKeys();
		const daemon = new KeyedDaemon();
		daemon.on("POST /v1/session", () => SESSION);
		expect(await openSession(daemon, "abc", keys)).toEqual(SESSION);
		expect(daemon.asked.map(({ body }) => body)).toEqual([{ ticket: "abc" }]);
		expect(daemon.key).toBe(keys.kept);
		expect(keys.kept?.extractable).toBe(false);
	});

	it("goes on with the cookie and the key after a reload, or when the ticket was used", async () => {
		const keys = new MemoryKeys();
		await keys.save(await pageKey(SESSION.key));
		for (const ticket of ["used", null]) {
			const daemon = new KeyedDaemon();
			daemon.on("POST /v1/session", () => new Refused(401, {})).on("GET /v1/session", () => SESSION);
			expect(await openSession(daemon, ticket, keys)).toEqual(SESSION);
			expect(daemon.key).toBe(keys.kept);
		}
	});

	it("says that nothing lets it in", async () => {
		const daemon = new KeyedDaemon();
		daemon.on("GET /v1/session", () => new Refused(401, { code: "unauthenticated" }));
		await expect(openSession(daemon, null, new MemoryKeys())).rejects.toMatchObject({ isUnauthorized: true });
	});
});

describe("requests of the page", () => {
	const serve = (instance: () => string): Headers[] => {
		const answered: Headers[] = [];
		vi.spyOn(window, "fetch").mockImplementation((path, init) => {
			if (path === "/health") return Promise.resolve(new Response(JSON.stringify({ instance: instance() })));
			const headers = new Headers(init?.headers);
			answered.push(headers);
			const isRight = headers.get("X-Scrubjay-Csrf") === answerOf(instance());
			return Promise.resolve(
				isRight ? new Response('{"ok": true}') : new Response('{"code": "csrf"}', { status: 403 }),
			);
		});
		return answered;
	};

	it("answer the running daemon with the key that only this page has", async () => {
		const answered = serve(() => "one");
		const transport = new FetchTransport();
		expect(await transport.send({ method: "GET", path: "/v1/session" })).toMatchObject({ status: 403 });
		transport.useKey(await pageKey(SESSION.key));
		expect(await transport.send({ method: "POST", path: "/v1/search", body: { query: "x" } })).toEqual({
			status: 200,
			body: { ok: true },
		});
		expect(answered[0]?.has("X-Scrubjay-Csrf")).toBe(false);
		expect(answered.at(-1)?.get("Content-Type")).toBe("application/json");
	});

	it("answer a restarted daemon anew, and never send what would open it to the one before", async () => {
		let instance = "one";
		const answered = serve(() => instance);
		const transport = new FetchTransport();
		transport.useKey(await pageKey(SESSION.key));
		await transport.send({ method: "GET", path: "/v1/status" });
		instance = "two";
		expect(await transport.send({ method: "GET", path: "/v1/status" })).toMatchObject({ status: 200 });
		expect(answered.map((headers) => headers.get("X-Scrubjay-Csrf"))).toEqual([
			answerOf("one"),
			answerOf("one"),
			answerOf("two"),
		]);
	});

	it("say that nobody answers", async () => {
		vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
		await expect(new FetchTransport().send({ method: "GET", path: "/" })).rejects.toMatchObject({
			isUnreachable: true,
		});
	});

	it("hear events whatever pieces they come in", async () => {
		const pieces = [
			": welcome\n\nid: 1\neve",
			"nt: indexing\ndata: {}\n\n",
			"event: changed\r\ndata: {}\n\n: still here\n\n",
		];
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

	describe("a note that is opened", () => {
		let toasts: HTMLElement;
		let host: PageHost;
		let asked: MockInstance;
		const said = (): string => toasts.textContent;

		beforeEach(() => {
			vi.useFakeTimers();
			asked = vi.spyOn(window, "open").mockReturnValue(null);
			toasts = h("div");
			host = new PageHost(toasts, { userAgent: "" } as Navigator);
		});
		afterEach(() => vi.useRealTimers());

		it("is said to have been asked for where Obsidian does not come forward, and can be read here", () => {
			const read = vi.fn();
			host.read = read;
			host.open({ vault: "Notes", path: "A/B.md", title: "B" }, "here");
			expect(said()).toBe("");
			vi.advanceTimersByTime(2_000);
			expect(said()).toContain("Obsidian was asked to open “B”");
			toasts.querySelector("button")?.click();
			expect(read).toHaveBeenCalledOnce();
		});

		it("is not asked for where the server knows no address of it here, and can be read here", () => {
			const read = vi.fn();
			host.read = read;
			host.open(placeOf(result({ vault: "Team", open_url: "" })), "here");
			expect(asked).not.toHaveBeenCalled();
			expect(said()).toContain("The vault Team is not on this computer");
			toasts.querySelector("button")?.click();
			expect(read).toHaveBeenCalledOnce();
		});

		it("is spoken of no more where Obsidian came forward", () => {
			host.open({ vault: "Notes", path: "A/B.md", title: "B" }, "here");
			window.dispatchEvent(new Event("blur"));
			vi.advanceTimersByTime(2_000);
			expect(said()).toBe("");
		});
	});

	it("links by Obsidian's own scheme", () => {
		const host = new PageHost(document.body, { userAgent: "" } as Navigator);
		expect(host.linkTo({ vault: "Notes", path: "A/B.md", title: "B [draft]" })).toBe(
			"[B draft](obsidian://open?vault=Notes&file=A%2FB)",
		);
		const elsewhere = placeOf(result({ title: "B [draft]", open_url: "" }));
		expect([elsewhere, wholeNote(elsewhere)].map((place) => host.linkTo(place))).toEqual([
			"B [draft]",
			"B [draft]",
		]);
	});
});
