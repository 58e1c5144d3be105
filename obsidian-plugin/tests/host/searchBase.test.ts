import { rmSync } from "node:fs";
import type { BasesViewRegistration } from "obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IDENTITY, http, TOKEN, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { FakeDaemon, Refused, response, result, status } from "../helpers/fakeDaemon";
import { runPlugin, type Running } from "../helpers/obsidian";

/** What Obsidian calls when the notes of the base, or the options of the view, are others. */
interface Drawn {
	onDataUpdated(): void;
}

const FILES = { "Bread.md": "", "Soup.md": "", "Tea.md": "" };
const found = (path: string, vault: string): ReturnType<typeof result> =>
	result({ path, vault, title: path.replace(".md", "") });

describe("a base in the order of a search", () => {
	let home: string;
	let daemon: FakeDaemon;
	let running: Running;
	let container: HTMLElement;

	const run = async (version?: string): Promise<BasesViewRegistration | undefined> => {
		running = await runPlugin(FILES, http(daemon, IDENTITY), "en", undefined, version);
		running.app.secretStorage.setSecret("scrubjay-token", TOKEN);
		return running.plugin.basesViewRegistrations__.get("scrubjay");
	};
	/** The view of a base that has these notes. */
	const shown = (registration: BasesViewRegistration | undefined, query: string, paths: readonly string[]): void => {
		container = createDiv();
		const view = registration?.factory(null as never, container) as unknown as Drawn;
		const data = paths.map((path) => ({ file: running.app.vault.getFileByPath(path) }));
		Object.assign(view, { config: { get: () => query }, data: { data } });
		view.onDataUpdated();
	};
	const titles = (): (string | null)[] =>
		[...container.querySelectorAll("li button")].map(({ textContent }) => textContent);

	beforeEach(() => {
		home = homeOfDaemon();
		daemon = new FakeDaemon().on("GET /v1/status", () => status()).on("GET /v1/profiles", () => ({ profiles: [] }));
	});
	afterEach(() => {
		running.plugin.onunload();
		vi.unstubAllEnvs();
		rmSync(home, { recursive: true });
	});

	it("is offered from 1.10 on, and nothing breaks before", async () => {
		expect(await run("1.8.7")).toBeUndefined();
		running.plugin.onunload();
		expect(await run("1.10.0")).toMatchObject({ name: "Scrubjay", icon: "scrubjay" });
	});

	it("has the notes of the base that are found, best first, page by page, and no others", async () => {
		const registration = await run();
		const here = running.app.vault.getName();
		const pages = [
			[found("Soup.md", here), found("Tea.md", here)],
			[found("Bread.md", here), found("Soup.md", "Elsewhere")],
		];
		daemon.on("POST /v1/search", ({ body }) => {
			const offset = (body as { offset?: number }).offset ?? 0;
			return { ...response(pages[offset] ?? []), next_offset: offset === 0 ? 1 : null };
		});
		shown(registration, "warm", ["Bread.md", "Soup.md"]);
		await settled(() => titles().length > 0);
		expect(titles()).toEqual(["Soup", "Bread"]);
		expect(daemon.searches.map(({ query, remember }) => [query, remember])).toEqual([
			["warm", false],
			["warm", false],
		]);
	});

	it("says what is missing: a query, notes that are found, or the daemon", async () => {
		const registration = await run();
		shown(registration, " ", ["Bread.md"]);
		expect(container.textContent).toContain("Write in the options of this view what to search for.");
		daemon.on("POST /v1/search", () => response([]));
		shown(registration, "warm", ["Bread.md"]);
		await settled(() => container.textContent === "No note fits");
		daemon.on("POST /v1/search", () => new Refused(500, { status: 500, code: "broken", detail: "It broke." }));
		shown(registration, "warm", ["Bread.md"]);
		await settled(() => container.textContent === "It broke.");
	});
});
