import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { proofOf } from "../../src/host/obsidian/daemon/proof";
import type { FakeDaemon } from "./fakeDaemon";
import type { RequestUrl } from "./obsidian";

export const URL_OF_DAEMON = "http://127.0.0.1:8642";
export const IDENTITY = "s".repeat(64);
export const PAIRING_KEY = "p".repeat(64);
export const TOKEN = ["sj", "t".repeat(43)].join("_");

/** A home in which the plugin finds that daemon, for as long as the environment is stubbed. Whoever made it removes it. */
export function homeOfDaemon(): string {
	const home = mkdtempSync(join(tmpdir(), "scrubjay-"));
	mkdirSync(join(home, "state"));
	writeFileSync(join(home, "state", "daemon.json"), JSON.stringify({ url: URL_OF_DAEMON, secret: IDENTITY }));
	vi.stubEnv("SCRUBJAY_HOME", home);
	return home;
}

/** Waits for what is soon so, on a busy machine too. */
export async function settled(condition: () => boolean): Promise<void> {
	await vi.waitFor(() => expect(condition()).toBe(true));
}

/** HTTP in front of the daemon in memory: checks the token as the real one does. */
export function http(daemon: FakeDaemon, identity: string): RequestUrl {
	return async ({ url, method = "GET", headers = {}, body }) => {
		const path = url.slice(URL_OF_DAEMON.length);
		if (path.startsWith("/health"))
			return {
				status: 200,
				text: JSON.stringify({
					name: "scrubjay",
					proof: await proofOf(identity, new URL(url).searchParams.get("challenge") ?? ""),
				}),
			};
		const isOpen = path.startsWith("/v1/pairing") || path.startsWith("/assets/");
		if (!isOpen && headers["Authorization"] !== `Bearer ${TOKEN}`)
			return { status: 401, text: JSON.stringify({ code: "unauthenticated", detail: "A token is needed." }) };
		const reply = await daemon.send({
			method: method as "GET",
			path,
			...(body === undefined ? {} : { body: JSON.parse(body) as unknown }),
		});
		return { status: reply.status, text: JSON.stringify(reply.body) };
	};
}
