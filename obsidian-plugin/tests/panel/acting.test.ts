import { beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import type { EditReply, SearchAsk } from "../../src/api/wire";
import { ActingMenu } from "../../src/panel/acting/actingMenu";
import type { Applied, Place, Shown } from "../../src/panel/host";
import { NamedSearches } from "../../src/panel/search/namedSearches";
import { FakeDaemon, Refused, response, result } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

const KEYS = { "Ferry.md": "0".repeat(10), "Coast.md": "1".repeat(10), "Elsewhere.md": "2".repeat(10) };

function edited(...paths: (keyof typeof KEYS)[]): EditReply {
	return {
		edited: paths.map((path) => {
			const vault = path === "Elsewhere.md" ? "Work" : "Notes";
			return {
				key: KEYS[path],
				profile: "home",
				changes: [{ action: "replace", vault, path, line: 1, before: "ferry", after: "boat" }],
				file: {
					vault,
					path,
					to: path,
					diff: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-By ferry.\n+By boat.\n`,
					digest: "d",
				},
			};
		}),
		refused: [{ path: "Odd.md", keys: [], reason: "It can't be edited safely." }],
		unchanged: 3,
		in_links: 2,
		left_lines: 1,
		unanswered: [],
	};
}

/** A host that writes notes itself; `changed` are others by now. */
class WritingHost extends RecordingHost {
	readonly written: string[] = [];
	readonly changed = new Set<string>();
	readonly saved: [title: string, text: string][] = [];
	isHere = ({ vault }: Place): boolean => vault === "Notes";
	saveNote = (title: string, text: string): Promise<void> => {
		this.saved.push([title, text]);
		return Promise.resolve();
	};
	applyChanges = ({ files }: Shown): Promise<Applied | null> => {
		const path = files[0]?.path ?? "";
		if (this.changed.has(path)) return Promise.resolve(null);
		this.written.push(path);
		const undo = (): Promise<boolean> => {
			if (this.changed.has(path)) return Promise.resolve(false);
			this.written.splice(this.written.indexOf(path), 1);
			return Promise.resolve(true);
		};
		return Promise.resolve({ stays: [], touched: () => [path], undo });
	};
}

describe("the menu of all results", () => {
	let daemon: FakeDaemon;
	let menu: ActingMenu;
	let named: NamedSearches;
	let done: number;
	const request: SearchAsk = { query: "ferry", limit: 10, sort: "-modified", profiles: ["home"] };

	const opened = (host: RecordingHost): void => {
		named = new NamedSearches(host.storage);
		const client = new Client(daemon);
		menu = new ActingMenu({ client, host, named, request: () => request, onDone: () => (done += 1) });
		menu.show(true);
		document.body.replaceChildren(menu.menu, menu.editing);
	};
	const press = async (label: string): Promise<void> => {
		const buttons = [...document.body.querySelectorAll("button")].filter((each) => !each.closest("[hidden]"));
		const found = buttons.find((each) => (each.textContent || each.getAttribute("aria-label")) === label);
		if (!found) throw new Error(`no ${label} among ${buttons.map((each) => each.textContent).join(", ")}`);
		found.click();
		await vi.waitFor(() => undefined);
		await new Promise((resolve) => window.setTimeout(resolve));
	};
	const write = async (field: string, text: string): Promise<void> => {
		const input = document.body.querySelector<HTMLInputElement>(`[aria-label="${field}"]`);
		if (!input) throw new Error(field);
		input.value = text;
		input.dispatchEvent(new Event("input"));
		await Promise.resolve();
	};
	const lookedAt = async (host: RecordingHost): Promise<void> => {
		opened(host);
		await press("All results");
		await press("Change all results");
		await write("Text", "ferry");
		await write("Replace with", "boat");
		await press("Show what would change");
	};
	const asked = (path: string): unknown => daemon.asked.filter((each) => each.path === path).at(-1)?.body;

	it("gives a search a name, another one, and none", async () => {
		const host = new RecordingHost();
		opened(host);
		for (const [name, kept] of [
			["Boats", [{ name: "Boats", query: "ferry" }]],
			["Ships", [{ name: "Ships", query: "ferry" }]],
			["  ", []],
		] as const) {
			await press("All results");
			await press("Name this search");
			await write("Name this search", name);
			await press("Save");
			expect(new NamedSearches(host.storage).list()).toEqual(kept);
			expect(menu.editing.hidden).toBe(true);
		}
		host.storage.write("named-searches", [{ name: "Boats" }, 7, null]);
		expect(named.list()).toEqual([]);
	});

	beforeEach(() => {
		done = 0;
		daemon = new FakeDaemon()
			.on("POST /v1/edit", () => edited("Ferry.md", "Coast.md"))
			.on("POST /v1/edit/write", () => ({
				keys: [],
				notes: ["Ferry.md"],
				refused: [{ path: "Coast.md", keys: [], reason: "It changed." }],
				run: "1f0c9a77",
			}))
			.on("POST /v1/review/undo", () => ({ keys: [], notes: ["Ferry.md"], refused: [], run: "" }))
			.on("POST /v1/review/writable", () => ({ refused: [] }));
	});

	it("copies links to every result, page by page, each note once", async () => {
		const host = new RecordingHost();
		daemon.on("POST /v1/search", ({ body }) =>
			(body as SearchAsk).offset === 0
				? { ...response([result({ title: "A" }), result({ title: "A" })]), next_offset: 2 }
				: response([result({ title: "B", path: "B.md" })]),
		);
		opened(host);
		await press("All results");
		await press("Copy as links");
		expect(host.copied).toEqual(["- [[A]]\n- [[B]]"]);
		expect(host.said).toEqual(["2 links were copied"]);
		expect(daemon.searches.map(({ sort, fold, remember }) => [sort, fold, remember])).toEqual([
			["-modified", false, false],
			["-modified", false, false],
		]);
	});

	it("makes a note of them where the host can", async () => {
		const host = new WritingHost();
		daemon.on("POST /v1/search", () => response([result({ title: "A" })]));
		opened(host);
		await press("All results");
		await press("Save as a note");
		expect(host.saved).toEqual([["ferry", "- [[A]]\n"]]);
		opened(new RecordingHost());
		await press("All results");
		await expect(press("Save as a note")).rejects.toThrow("no Save as a note");
	});

	it("shows what an edit would change, and has just that written and taken back", async () => {
		const host = new RecordingHost();
		await lookedAt(host);
		expect(asked("/v1/edit")).toMatchObject({
			query: "ferry",
			profiles: ["home"],
			edit: { action: "replace", find: "ferry", after: "boat", whole_word: false },
		});
		expect(menu.editing.textContent).toContain("2 notes would change.");
		expect(menu.editing.textContent).toContain("Odd.md: It can't be edited safely.");
		expect(menu.editing.textContent).toContain("2 of these places are in the target of a link");
		expect(menu.editing.textContent).toContain("1 line that holds it stays as written");
		expect(menu.editing.querySelector("ins")?.textContent).toBe("+By boat.");
		await press("Write into the notes");
		expect(asked("/v1/edit/write")).toMatchObject({ query: "ferry", shown: [KEYS["Ferry.md"], KEYS["Coast.md"]] });
		expect(host.said).toEqual(["1 note changed. Coast.md: It changed."]);
		expect([done, menu.editing.hidden]).toEqual([1, true]);
		host.offered?.act();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note as before."));
		expect(asked("/v1/review/undo")).toEqual({ run: "1f0c9a77" });
		expect(host.offered).toBeUndefined();
	});

	it("writes nothing that was not shown as it is asked for now", async () => {
		await lookedAt(new RecordingHost());
		await write("Text", "boat");
		await expect(press("Write into the notes")).rejects.toThrow("no Write");
		await press("Show what would change");
		menu.forget(); // another query
		await expect(press("Write into the notes")).rejects.toThrow("no Write");
		expect(asked("/v1/edit/write")).toBeUndefined();
	});

	it("has the host write where it can: what changed since or is elsewhere is left and named, and one undo takes the rest back", async () => {
		const host = new WritingHost();
		daemon.on("POST /v1/edit", () => edited("Ferry.md", "Coast.md", "Elsewhere.md"));
		await lookedAt(host);
		daemon.on("POST /v1/edit", () => edited("Ferry.md", "Elsewhere.md")); // the other was saved meanwhile
		await press("Write into the notes");
		expect(host.written).toEqual(["Ferry.md"]);
		expect(host.said.at(-1)).toMatch(
			/^1 note changed\. Coast\.md: not as it was shown.* Elsewhere\.md: in another vault/,
		);
		expect(asked("/v1/edit/write")).toBeUndefined();
		host.changed.add("Ferry.md");
		host.offered?.act();
		await vi.waitFor(() =>
			expect(host.said.at(-1)).toBe("0 notes as before. Ferry.md: changed since, so it stays"),
		);
		host.changed.clear();
		host.offered?.act();
		await vi.waitFor(() => expect(host.said.at(-1)).toBe("1 note as before."));
		expect(host.written).toEqual([]);
	});

	it("takes nothing back in a note that may not be read any more", async () => {
		const host = new WritingHost();
		await lookedAt(host);
		await press("Write into the notes");
		daemon.on("POST /v1/review/writable", () => ({ refused: ["Coast.md"] }));
		host.offered?.act();
		await vi.waitFor(() => expect(host.said.at(-1)).toContain("1 note as before. Coast.md"));
		expect(host.written).toEqual(["Coast.md"]);
	});

	it("says who may not, and offers to ask for leave", async () => {
		const host = new RecordingHost();
		let wanted = 0;
		Object.assign(host, { manage: () => (wanted += 1) });
		daemon.on(
			"POST /v1/edit",
			() => new Refused(403, { status: 403, code: "forbidden", detail: "This takes the scope manage." }),
		);
		await lookedAt(host);
		expect(menu.editing.textContent).toContain("This takes the scope manage.");
		menu.editing.querySelector<HTMLButtonElement>('[data-focus="manage"]')?.click();
		expect(wanted).toBe(1);
	});
});
