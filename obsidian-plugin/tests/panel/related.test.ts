import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/api/client";
import { NoteMarks } from "../../src/panel/notes/noteMarks";
import { RelatedAnswers } from "../../src/panel/notes/relatedAnswers";
import { RelatedView } from "../../src/panel/notes/relatedView";
import { FakeDaemon, note } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

describe("what one does with related notes", () => {
	let daemon: FakeDaemon;
	let host: RecordingHost;
	let view: RelatedView;
	let path: string;

	const open = async (): Promise<void> => {
		const client = (): Client => new Client(daemon);
		view = new RelatedView({
			client,
			answers: new RelatedAnswers(client),
			host,
			active: () => ({ vault: "Notes", path, title: "Here" }),
			context: () => ({ now: new Date(), colours: new Map(), showProfile: false }),
		});
		document.body.replaceChildren(view.element);
		await view.update();
	};
	const press = async (key: string, held: KeyboardEventInit = {}): Promise<void> => {
		view.element
			.querySelector(".sj-results")
			?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held }));
		await vi.advanceTimersByTimeAsync(0);
	};
	const rows = (): string[] =>
		[...view.element.querySelectorAll(".sj-section, .sj-line-title")].map(({ textContent }) => textContent ?? "");
	const hiddenChip = (): HTMLButtonElement | undefined =>
		[...view.element.querySelectorAll("button")].find(({ textContent }) => textContent?.endsWith("hidden"));

	beforeEach(async () => {
		vi.useFakeTimers();
		path = "Here.md";
		host = new RecordingHost();
		daemon = new FakeDaemon().on("GET /v1/related", () => ({
			notes: [
				note({ path: "Near.md", title: "Near", excerpt: "It begins so." }),
				note({ path: "Far.md", title: "Far" }),
				note({ path: "Tied.md", title: "Tied", reasons: ["links here"] }),
			],
		}));
		await open();
	});
	afterEach(() => {
		view.dispose();
		document.body.replaceChildren();
		vi.useRealTimers();
	});

	it("shows how the nearest passage begins", () => {
		expect(view.element.querySelector(".sj-snippet")?.textContent).toBe("It begins so.");
	});

	it("keeps a note under a press, and shows what came meanwhile once it was released", async () => {
		const held = view.element.querySelector(".sj-line-title");
		held?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
		daemon.on("GET /v1/related", () => ({ notes: [note({ path: "New.md", title: "New" })] }));
		path = "Other.md";
		await view.update();
		expect([held?.isConnected, rows().includes("New")]).toEqual([true, false]);
		document.dispatchEvent(new MouseEvent("mouseup"));
		await vi.advanceTimersByTimeAsync(0);
		expect([held?.isConnected, rows()]).toEqual([false, ["Near in subject", "New"]]);
	});

	it("does what is pressed beside the note that it stands beside", async () => {
		view.element.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
		path = "Other.md";
		await view.update();
		await press("h");
		document.dispatchEvent(new MouseEvent("mouseup"));
		await vi.advanceTimersByTimeAsync(0);
		expect(rows()).toContain("Tied");
		path = "Here.md";
		await view.update();
		expect(rows()).not.toContain("Tied");
	});

	it("shows an answer that came under a press though a paragraph was asked for since", async () => {
		view.element.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
		path = "Other.md";
		daemon.on("GET /v1/related", () => ({ notes: [note({ path: "New.md", title: "New" })] }));
		await view.update();
		daemon.on("POST /v1/search", () => ({ results: [] }));
		await view.writing("a paragraph that is long enough to be asked for");
		document.dispatchEvent(new MouseEvent("mouseup"));
		await vi.advanceTimersByTimeAsync(0);
		expect(rows()).toEqual(["Near in subject", "New"]);
	});

	it("pins a note beside this one, also when it is no longer related", async () => {
		await press("ArrowDown");
		await press("p");
		expect(view.element.querySelector(".is-selected .sj-line-title")?.textContent).toBe("Near");
		expect(rows()).toEqual(["Pinned", "Near", "Linked", "Tied", "Near in subject", "Far"]);
		daemon.on("GET /v1/related", () => ({ notes: [note({ path: "Far.md", title: "Far" })] }));
		await open();
		expect(rows()).toEqual(["Pinned", "Near", "Near in subject", "Far"]);
		await press("Enter");
		expect(host.opened).toEqual([["Near", "here"]]);
		await press("P");
		expect(rows()).toEqual(["Near in subject", "Far"]);
	});

	it("hides a note beside this one only, and shows it again", async () => {
		await press("h");
		expect(rows()).toEqual(["Near in subject", "Near", "Far"]);
		expect(hiddenChip()?.hidden).toBe(false);
		path = "Other.md";
		await open();
		expect([rows()[1], hiddenChip()?.hidden]).toEqual(["Tied", true]);
		path = "Here.md";
		await open();
		hiddenChip()?.click();
		expect(rows()).toEqual(["Near in subject", "Near", "Far", "Hidden", "Tied"]);
		await press("PageDown");
		await press("h");
		expect(rows()).toEqual(["Linked", "Tied", "Near in subject", "Near", "Far"]);
	});

	it("hides one note and no more, however long the key is held", async () => {
		await press("h");
		for (const key of ["h", "H", "p", "l", "Enter"]) await press(key, { repeat: true });
		expect([rows(), host.opened]).toEqual([["Near in subject", "Near", "Far"], []]);
	});

	it("hides a note beside every one, and asks for as many more", async () => {
		await press("h", { shiftKey: true });
		path = "Other.md";
		await open();
		expect(rows()).toEqual(["Near in subject", "Near", "Far"]);
		expect(new URLSearchParams(daemon.asked.at(-1)?.path.split("?")[1]).get("limit")).toBe("11");
	});

	it("keeps the marks of notes that are moved", async () => {
		await press("h");
		const marks = new NoteMarks(host.storage);
		marks.moved("Notes", "Here.md", "There.md");
		marks.moved("Notes", "Tied.md", "Bound.md");
		path = "There.md";
		daemon.on("GET /v1/related", () => ({
			notes: [note({ path: "Bound.md", title: "Tied" }), note({ path: "Near.md", title: "Near" })],
		}));
		await open();
		expect(rows()).toEqual(["Near in subject", "Near"]);
	});

	it("links a note where this one names it, and offers that first", async () => {
		host.mentions.set("Far", { line: 12, written: "far" });
		await open();
		expect(rows()).toEqual(["Could be linked", "Far", "Linked", "Tied", "Near in subject", "Near"]);
		expect(view.element.querySelector(".sj-mention")?.textContent).toBe("Link it in line 12");
		await press("l");
		expect(view.element.querySelector(".is-selected .sj-line-title")?.textContent).toBe("Far");
		expect(host.linked).toEqual(["Here.md:12 far"]);
		expect([rows(), view.element.querySelector(".sj-mention")]).toEqual([
			["Linked", "Far", "Tied", "Near in subject", "Near"],
			null,
		]);
	});

	it("looks again where the mention is no longer there", async () => {
		host.mentions.set("Far", { line: 12, written: "far" });
		await open();
		host.mentions.clear();
		view.element.querySelector<HTMLElement>(".sj-mention")?.click();
		await vi.advanceTimersByTimeAsync(0);
		expect([host.linked, rows()[0]]).toEqual([[], "Linked"]);
	});
});
