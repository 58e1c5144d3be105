import { afterEach, describe, expect, it } from "vitest";
import { Client } from "../../src/api/client";
import type { WalkReply } from "../../src/api/wire";
import { GraphView } from "../../src/panel/graph/graphView";
import { layOut, type GraphNode } from "../../src/panel/graph/layout";
import { neighbour } from "../../src/panel/graph/neighbour";
import { placeOfNote, type Host } from "../../src/panel/host";
import { FakeDaemon, note } from "../helpers/fakeDaemon";
import { RecordingHost } from "../helpers/recordingHost";

const SIZE = { width: 640, height: 420 };
const WALKED = { likeness: null, fate: "kept" } as const;

/** A note in the middle with so many notes around it. */
function star(around: number): WalkReply {
	const others = Array.from({ length: around }, (_, index) => ({
		note: note({ path: `${index}.md`, title: `Note ${index}` }),
		hop: 1,
		via: "middle.md",
		...WALKED,
	}));
	return {
		steps: [{ note: note({ path: "middle.md", title: "Middle" }), hop: 0, via: null, ...WALKED }, ...others],
		ending: "hops",
		omitted: 0,
	};
}

describe("the picture of links", () => {
	it.each([1, 2, 12, 39])("keeps a note and %i others inside, apart, and joined", (around) => {
		const { nodes, edges } = layOut(star(around), SIZE);
		expect(edges).toEqual(Array.from({ length: around }, (_, index) => [0, index + 1]));
		for (const { x, y } of nodes) expect(x > 0 && x < SIZE.width && y > 0 && y < SIZE.height).toBe(true);
		for (const [index, a] of nodes.entries())
			for (const b of nodes.slice(index + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(30);
	});

	it("is the same for the same walk", () => {
		expect(layOut(star(12), SIZE)).toEqual(layOut(star(12), SIZE));
	});

	it("labels the middle first, and no two labels on top of each other", () => {
		const shown = layOut(star(39), { width: 320, height: 240 }).nodes.filter(({ isLabelled }) => isLabelled);
		expect(shown[0]?.label).toBe("Middle");
		for (const [index, a] of shown.entries())
			for (const b of shown.slice(index + 1))
				expect(Math.abs(a.x - b.x) > 30 || Math.abs(a.y + a.labelDrop - b.y - b.labelDrop) >= 15).toBe(true);
	});

	it.each([
		[12, 640, 420],
		[39, 640, 420],
		[39, 320, 240],
		[25, 260, 500],
	])("puts no label of %i notes on a note (%i × %i)", (around, width, height) => {
		const { nodes } = layOut(star(around), { width, height });
		for (const { x, y, label, labelDrop } of nodes.filter(({ isLabelled }) => isLabelled)) {
			const half = (label.length * 6.4) / 2;
			const covered = nodes.filter(
				(dot) =>
					Math.abs(dot.x - x) < half + 9 && dot.y > y + labelDrop - 11 - 9 && dot.y < y + labelDrop + 3 + 9,
			);
			expect(covered.map(({ label: name }) => `${label} on ${name}`)).toEqual([]);
		}
	});

	it("labels both of two notes side by side, one above its note if need be", () => {
		const { nodes } = layOut(
			{
				steps: star(1).steps.map((step) => ({
					...step,
					note: { ...step.note, title: "A name of twenty-five signs" },
				})),
				ending: "hops",
				omitted: 0,
			},
			SIZE,
		);
		expect(nodes.map(({ isLabelled }) => isLabelled)).toEqual([true, true]);
	});

	it("says by way of which note one was reached", () => {
		const { steps } = star(1);
		const { nodes } = layOut(
			{
				steps: [...steps, { note: note({ path: "far.md", title: "Far" }), hop: 2, via: "0.md", ...WALKED }],
				ending: "hops",
				omitted: 0,
			},
			SIZE,
		);
		expect(nodes[2]).toMatchObject({ hop: 2, via: "Note 0" });
	});

	const at = (x: number, y: number): GraphNode => ({
		note: note(),
		hop: 1,
		via: "",
		label: "",
		radius: 10,
		labelDrop: 22,
		isLabelled: true,
		x,
		y,
	});
	it.each([
		["ArrowRight", 1],
		["ArrowLeft", 2],
		["ArrowUp", 3],
		["ArrowDown", 1],
		["Enter", null],
	])("leads with %s to the nearest note there", (key, want) => {
		expect(neighbour([at(0, 0), at(50, 5), at(-80, 0), at(10, -60), at(90, 0)], 0, key)).toBe(want);
	});
});

describe("the view of the picture", () => {
	const view = (
		walk: WalkReply,
		can: Partial<Host> = {},
	): { element: HTMLElement; opened: string[]; graph: GraphView } => {
		const opened: string[] = [];
		const client = new Client(new FakeDaemon().on("GET /v1/traverse", () => walk));
		const graph = new GraphView({
			client: () => client,
			host: Object.assign(new RecordingHost(), can),
			colourOf: () => null,
			open: ({ title }) => opened.push(title),
			onClose: () => opened.push("closed"),
		});
		document.body.append(graph.element);
		return { element: graph.element, opened, graph };
	};
	const dots = (element: HTMLElement): Element[] => [...element.querySelectorAll(".sj-graph-note")];
	const press = (key: string): boolean | undefined =>
		document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
	afterEach(() => document.body.replaceChildren());

	it("draws the notes of a walk, and is left, read and moved by keys", async () => {
		const { element, opened, graph } = view(star(3));
		await graph.show(placeOfNote(note()));
		expect(dots(element).map((dot) => dot.getAttribute("aria-label"))).toEqual([
			"Middle, in the middle",
			"Note 0, linked",
			"Note 1, linked",
			"Note 2, linked",
		]);
		expect(element.querySelectorAll("line")).toHaveLength(3);
		expect(document.activeElement).toBe(dots(element)[0]);
		press("Enter");
		(dots(element)[2] as SVGElement).focus();
		press("Enter");
		press("Escape");
		expect(opened).toEqual(["Middle", "Note 1", "closed"]);
	});

	it("previews the note under the pointer, not the whole picture", async () => {
		const targets: unknown[] = [];
		const { element, graph } = view(star(2), { hoverPreview: (_event, target) => targets.push(target) });
		await graph.show(placeOfNote(note()));
		for (const dot of dots(element).slice(0, 2))
			dot.querySelector("circle")?.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		expect(targets).toEqual(dots(element).slice(0, 2));
	});

	it("is one stop for Tab, the note that was stood on last", async () => {
		const { element, graph } = view(star(3));
		await graph.show(placeOfNote(note()));
		const stops = (): (string | null)[] => dots(element).map((dot) => dot.getAttribute("tabindex"));
		expect(stops()).toEqual(["0", "-1", "-1", "-1"]);
		(dots(element)[2] as SVGElement).focus();
		expect(stops()).toEqual(["-1", "-1", "0", "-1"]);
	});

	it("draws nothing that is not wanted any more", async () => {
		const { element, graph } = view(star(3));
		const shown = graph.show(placeOfNote(note()));
		graph.forget();
		await shown;
		expect(dots(element)).toEqual([]);
	});

	it("says that a note has no links", async () => {
		const { element, graph } = view(star(0));
		await graph.show(placeOfNote(note()));
		expect(element.textContent).toContain("No links");
	});
});
