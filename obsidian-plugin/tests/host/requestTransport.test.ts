import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { proofOf } from "../../src/host/obsidian/daemon/proof";
import { RequestTransport } from "../../src/host/obsidian/daemon/requestTransport";
import type { UrlRequest } from "../helpers/obsidian";

const requestUrl = vi.fn<(request: UrlRequest) => Promise<{ status: number; text: string }>>();
const PORT = "http://127.0.0.1:8642";
const ELSEWHERE = "http://127.0.0.1:9000";
const TOKEN = ["sj", "t".repeat(43)].join("_");
const ASK = { method: "GET", path: "/v1/status" } as const;

/** Whoever answers on a port: knows a secret, or none, and writes down the tokens that it is sent. */
class Process {
	readonly tokens: string[] = [];

	constructor(
		readonly secret: string | null,
		private readonly status = 200,
	) {}

	async answer({ url, headers = {} }: UrlRequest): Promise<{ status: number; text: string }> {
		if (headers["Authorization"] !== undefined) this.tokens.push(headers["Authorization"]);
		const challenge = new URL(url).searchParams.get("challenge");
		if (challenge === null) return { status: this.status, text: "{}" };
		return {
			status: 200,
			text: JSON.stringify({
				name: "scrubjay",
				proof: this.secret === null ? "0".repeat(64) : await proofOf(this.secret, challenge),
			}),
		};
	}
}

describe("the token", () => {
	let folder: string;
	let now: number;
	let transport: RequestTransport;
	let ports: Map<string, Process>;

	const announce = (url: string, secret: string): void =>
		writeFileSync(join(folder, "daemon.json"), JSON.stringify({ url, secret }));

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "scrubjay-"));
		mkdirSync(folder, { recursive: true });
		now = 0;
		ports = new Map();
		transport = new RequestTransport(
			requestUrl,
			() => Promise.resolve(folder),
			() => TOKEN,
			() => now,
		);
		requestUrl.mockReset().mockImplementation((request) => {
			const process = ports.get(new URL(request.url).origin);
			return process ? process.answer(request) : Promise.reject(new Error("refused"));
		});
		announce(PORT, "ours");
		ports.set(PORT, new Process("ours"));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	it("goes to the daemon that proves itself", async () => {
		expect(await transport.send(ASK)).toMatchObject({ status: 200 });
		expect(ports.get(PORT)?.tokens).toEqual([`Bearer ${TOKEN}`]);
	});

	it("is sent with one proof for what is asked within two seconds", async () => {
		for (const at of [0, 500, 1_999]) {
			now = at;
			await transport.send(ASK);
		}
		expect(requestUrl.mock.calls.filter(([{ url }]) => url.includes("/health"))).toHaveLength(1);
	});

	it("is sent with one proof for what is asked at the same moment, and with another after a break", async () => {
		const proofs = (): number => requestUrl.mock.calls.filter(([{ url }]) => url.includes("/health")).length;
		await Promise.all([transport.send(ASK), transport.send(ASK), transport.send(ASK)]);
		expect(proofs()).toBe(1);
		now = 2_000;
		const answer = requestUrl.getMockImplementation();
		requestUrl.mockImplementationOnce(async (request) => {
			await Promise.resolve();
			transport.forget(); // while the proof is under way
			if (!answer) throw new Error("There is no answer.");
			return answer(request);
		});
		await transport.send(ASK);
		await transport.send(ASK);
		expect(proofs()).toBe(3);
	});

	it("goes to no stranger who takes the port after the daemon was proved", async () => {
		await transport.send(ASK);
		const stranger = new Process(null);
		ports.set(PORT, stranger);
		now = 2_000;
		await expect(transport.send(ASK)).rejects.toMatchObject({ isUnreachable: true });
		expect(stranger.tokens).toEqual([]);
	});

	it("goes to no stranger after a request that nobody answered", async () => {
		await transport.send(ASK);
		ports.delete(PORT);
		await expect(transport.send(ASK)).rejects.toMatchObject({ isUnreachable: true });
		const stranger = new Process(null);
		ports.set(PORT, stranger);
		await expect(transport.send(ASK)).rejects.toMatchObject({ isUnreachable: true });
		expect(stranger.tokens).toEqual([]);
	});

	it("goes to the daemon that the file names now, and to nobody on the port before", async () => {
		await transport.send(ASK);
		const stranger = new Process(null);
		ports.set(PORT, stranger);
		announce(ELSEWHERE, "anew");
		ports.set(ELSEWHERE, new Process("anew"));
		expect(await transport.send(ASK)).toMatchObject({ status: 200 });
		expect([stranger.tokens.length, ports.get(ELSEWHERE)?.tokens.length]).toEqual([0, 1]);
	});

	it("is not shown again to a daemon that refused it", async () => {
		ports.set(PORT, new Process("ours", 401));
		expect(await transport.send(ASK)).toMatchObject({ status: 401 });
		expect(ports.get(PORT)?.tokens).toHaveLength(1);
	});

	it("is shown to the daemon that the file names after another one refused it", async () => {
		const refusing = new Process("ours", 401);
		ports.set(PORT, refusing);
		ports.set(ELSEWHERE, new Process("anew"));
		const answer = refusing.answer.bind(refusing);
		refusing.answer = (request) => {
			if (!request.url.includes("/health")) announce(ELSEWHERE, "anew");
			return answer(request);
		};
		expect(await transport.send(ASK)).toMatchObject({ status: 200 });
		expect(ports.get(ELSEWHERE)?.tokens).toHaveLength(1);
	});
});
