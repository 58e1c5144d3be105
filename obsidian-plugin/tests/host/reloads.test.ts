import { rmSync } from "node:fs";
import type * as mocks from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IDENTITY, http, TOKEN, homeOfDaemon, settled } from "../helpers/daemonHttp";
import { FakeDaemon, note, response, result, status } from "../helpers/fakeDaemon";
import { BUNDLE, runPlugin } from "../helpers/obsidian";

/** What a window still listens to, by event. */
function listenersOf(target: EventTarget): () => string[] {
	const kept = new Map<string, string>();
	const key = (type: string, listener: unknown): string => `${type} ${idOf(listener)}`;
	const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)];
	target.addEventListener = (type: string, listener: never, options?: AddEventListenerOptions | boolean) => {
		kept.set(key(type, listener), type);
		if (typeof options === "object")
			options.signal?.addEventListener("abort", () => kept.delete(key(type, listener)));
		add(type, listener, options);
	};
	target.removeEventListener = (type: string, listener: never, options?: EventListenerOptions | boolean) => {
		kept.delete(key(type, listener));
		remove(type, listener, options);
	};
	return () => [...kept.values()];
}

const ids = new Map<unknown, number>();
function idOf(listener: unknown): number {
	const id = ids.get(listener) ?? ids.size;
	ids.set(listener, id);
	return id;
}

/** Timers of the plugin that run, each by the place in its code that set it. */
function timers(): Map<unknown, string> {
	const running = new Map<unknown, string>();
	const [set, clear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
	vi.spyOn(window, "setTimeout").mockImplementation(((act: () => void, ms?: number) => {
		const place = new Error().stack?.split("\n").find((line) => line.includes(`${BUNDLE}:`));
		const id = set(() => {
			running.delete(id);
			act();
		}, ms);
		if (place !== undefined) running.set(id, `${place}, ${ms} ms`);
		return id;
	}) as never);
	vi.spyOn(window, "clearTimeout").mockImplementation((id) => {
		running.delete(id);
		clear(id);
	});
	return running;
}

type Pane = mocks.ItemView & { onOpen(): Promise<void>; onClose(): Promise<void> };

describe("the plugin, switched on and off twenty times with all that it has open", () => {
	let home: string;
	let daemon: FakeDaemon;

	beforeEach(() => {
		home = homeOfDaemon();
		const vault = { id: "0000000a", name: "Notes", own: true, allow: ["."], exclude: [], root: null };
		const profile = { id: "home", name: "home", colour: null, vaults: [vault], federate: true, encrypted: false };
		daemon = new FakeDaemon()
			.on("GET /v1/status", () => status())
			.on("GET /v1/recent", () => ({ notes: [note()] }))
			.on("GET /v1/profiles", () => ({ profiles: [profile] }))
			.on("GET /v1/related", () => ({ notes: [] }))
			.on("GET /v1/credentials", () => ({ credentials: [], decided: [], may_decide: true }))
			.on("GET /v1/review", () => ({ ...REVIEW, waiting: 3 })) // it looks again as long as some wait
			.on("POST /v1/search", () => response([result()]));
	});
	afterEach(() => {
		vi.unstubAllEnvs();
		rmSync(home, { recursive: true });
		document.body.replaceChildren();
	});

	it("leaves no listener, timer, request or element", async () => {
		const listening = [listenersOf(window), listenersOf(document)];
		const heard = (): string[] => listening.flatMap((each) => each());
		const running = timers();
		for (let time = 0; time < 20; time += 1) {
			const { app, plugin, modals } = await runPlugin({ "Open.md": "" }, http(daemon, IDENTITY));
			app.secretStorage.setSecret("scrubjay-token", TOKEN);
			plugin.link.connection.start();
			await settled(() => plugin.link.profiles.length > 0);
			const panes: Pane[] = [];
			for (const make of plugin.views__.values()) {
				const pane = make(app.workspace.getLeaf(true) as never) as never as Pane;
				pane.load();
				await pane.onOpen();
				document.body.append(pane.containerEl);
				panes.push(pane);
			}
			plugin.openSearch("dough");
			await settled(() => modals[0]?.contentEl.querySelector(".sj-result") !== null);
			// What Obsidian does when a plugin is switched off: its panes close, and then it unloads.
			for (const pane of panes) {
				await pane.onClose();
				pane.unload();
				pane.containerEl.remove();
			}
			plugin.unload();
		}
		// What was under way when it was switched off may come to its end; then nothing is asked any more.
		let [before, asked] = [-1, daemon.asked.length];
		for (let look = 0; look < 4 && before !== asked; look += 1) {
			await new Promise((resolve) => window.setTimeout(resolve, 2_500));
			[before, asked] = [asked, daemon.asked.length];
		}
		expect([[...running.values()], heard(), asked - before, document.body.childElementCount]).toEqual([
			[],
			[],
			0,
			0,
		]);
	});
});

const REVIEW = { proposals: [], total: 0, counts: [], unanswered: [], written: false, may_decide: true };
