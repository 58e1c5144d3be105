import type { Client } from "../../api/client";
import type { WalkReply } from "../../api/wire";
import { say } from "../../words/say";
import { placeOfNote, type Host, type OpenIn, type Place } from "../host";
import { fill, h, setAttr, setColour, svg } from "../shared/dom";
import { icon } from "../shared/icons";
import { emptyNotice, notOffered, retryNotice } from "../shared/notice";
import { hintLine } from "../search/box/hintBar";
import type { Graph, GraphNode, Size } from "./layout";
import { neighbour } from "./neighbour";

type LayOut = (typeof import("./layout"))["layOut"];

/** More notes than this are too many to tell apart in a panel. */
const MOST_NOTES = 40;
/** Where nothing is laid out (a hidden pane). */
const UNKNOWN_SIZE: Size = { width: 640, height: 420 };

export interface GraphViewOptions {
	client: () => Client;
	host: Host;
	/** Colour of a profile by its name. */
	colourOf: (profile: string) => string | null | undefined;
	open: (place: Place, where: OpenIn) => void;
	/** The user is done with the picture. */
	onClose: () => void;
}

/** The notes around a note, as a picture: those it is linked with, and those that they are linked with. */
export class GraphView {
	readonly element = h("section", { class: "sj-graph", attrs: { "aria-label": say("graph.label") } });
	private readonly title = h("h2", { class: "sj-graph-title" });
	private readonly body = h("div", { class: "sj-graph-body" });
	private graph: Graph = { nodes: [], edges: [] };
	private elements: SVGElement[] = [];
	private current = 0;
	private asked = 0;

	constructor(private readonly options: GraphViewOptions) {
		const back = h(
			"button",
			{ class: "sj-button", on: { click: () => options.onClose() } },
			icon("back"),
			say("graph.back"),
		);
		this.element.append(
			h("div", { class: "sj-graph-head" }, back, this.title),
			this.body,
			keysHint(options.host.isMac),
		);
		this.element.addEventListener("keydown", (event) => this.pressed(event));
	}

	/** Draw what surrounds the note. What lays it out is not run before a picture is asked for. Never rejects. */
	async show(place: Place): Promise<void> {
		const asked = (this.asked += 1);
		this.title.textContent = place.title;
		this.drawNotice(emptyNotice("graph", say("graph.loading"), ""));
		try {
			const ask = { id: place.indexed?.id, depth: 2, deep: true, limit: MOST_NOTES };
			const walk = place.indexed ? this.options.client().askIfOffered("GET /v1/traverse", ask) : null;
			const [steps, { layOut }] = await Promise.all([walk, import("./layout")]);
			if (asked === this.asked) this.draw(steps, layOut);
		} catch (error) {
			if (asked === this.asked) this.drawNotice(retryNotice(error, () => void this.show(place)));
		}
	}

	/** A picture that is still on its way is not drawn any more. */
	forget(): void {
		this.asked += 1;
	}

	private drawNotice(notice: HTMLElement): void {
		this.graph = { nodes: [], edges: [] };
		fill(this.body, notice);
		setAttr(this.body, "tabindex", "-1");
		this.body.focus();
	}

	private draw(walk: WalkReply | null, layOut: LayOut): void {
		if (walk === null) return this.drawNotice(notOffered("graph", "missing.graph"));
		if (walk.steps.length < 2)
			return this.drawNotice(emptyNotice("graph", say("graph.none"), say("graph.none.detail")));
		this.graph = layOut(walk, this.size());
		const shown = {
			title: this.graph.nodes[0]?.note.title ?? "",
			notes: say("count.notes", { count: walk.steps.length - 1 }),
		};
		this.title.textContent =
			walk.omitted > 0 ? say("graph.titleCut", { ...shown, count: walk.omitted }) : say("graph.title", shown);
		const { width, height } = this.size();
		const lines = this.graph.edges.map(([from, to]) => this.line(from, to));
		this.elements = this.graph.nodes.map((node, index) => this.dot(node, index));
		const picture = svg(
			"svg",
			{
				class: "sj-graph-picture",
				viewBox: `0 0 ${width} ${height}`,
				role: "group",
				"aria-label": say("graph.picture"),
			},
			...lines,
			...this.elements,
		);
		fill(this.body, picture);
		this.body.removeAttribute("tabindex");
		this.focus(0);
	}

	private size(): Size {
		const { clientWidth: width, clientHeight: height } = this.body;
		return width > 0 && height > 0 ? { width, height } : UNKNOWN_SIZE;
	}

	private line(from: number, to: number): Element {
		const [a, b] = [this.graph.nodes[from], this.graph.nodes[to]];
		const far = b !== undefined && b.hop > 1 ? " is-far" : "";
		return svg("line", {
			class: `sj-graph-line${far}`,
			x1: `${a?.x ?? 0}`,
			y1: `${a?.y ?? 0}`,
			x2: `${b?.x ?? 0}`,
			y2: `${b?.y ?? 0}`,
		});
	}

	private dot(node: GraphNode, index: number): SVGElement {
		const { note, hop, x, y, label, labelDrop, isLabelled } = node;
		const words = svg("text", {
			y: String(labelDrop),
			class: isLabelled ? "" : "is-hidden",
			"aria-hidden": "true",
		});
		words.textContent = label;
		const group = svg(
			"g",
			{
				class: `sj-graph-note is-hop-${Math.min(hop, 2)}`,
				transform: `translate(${x} ${y})`,
				role: "button",
				tabindex: index === 0 ? "0" : "-1",
				"aria-label": spoken(node),
			},
			svg("circle", { r: hop === 0 ? "9" : hop === 1 ? "7" : "5" }),
			words,
		) as SVGElement;
		setColour(group, this.options.colourOf(note.profile));
		group.addEventListener("click", (event) => this.open(index, event.ctrlKey || event.metaKey ? "tab" : "here"));
		group.addEventListener("focus", () => this.stand(index));
		group.addEventListener("mouseover", (event) =>
			this.options.host.hoverPreview?.(event, group, placeOfNote(note)),
		);
		return group;
	}

	/** The note that keys are about: the picture's one stop for Tab. */
	private stand(index: number): void {
		for (const [at, element] of this.elements.entries()) setAttr(element, "tabindex", at === index ? 0 : -1);
		this.current = index;
	}

	private focus(index: number): void {
		this.stand(index);
		this.elements[index]?.focus();
	}

	private open(index: number, where: OpenIn): void {
		const note = this.graph.nodes[index]?.note;
		if (note) this.options.open(placeOfNote(note), where);
	}

	private pressed(event: KeyboardEvent): void {
		if (event.altKey || event.shiftKey || event.isComposing) return;
		const mod = this.options.host.isMac ? event.metaKey : event.ctrlKey;
		if (!this.used(event.key, mod, (event.target as Element | null)?.closest("button") != null)) return;
		event.preventDefault();
		event.stopPropagation();
	}

	private used(key: string, mod: boolean, isOnButton: boolean): boolean {
		const next = neighbour(this.graph.nodes, this.current, key);
		if (key === "Escape" || (key === "Backspace" && !mod)) this.options.onClose();
		else if (isOnButton || this.graph.nodes.length === 0) return false;
		else if (next !== null && !mod) this.focus(next);
		else if (key === "Enter") this.open(this.current, mod ? "tab" : "here");
		else if (key === " " || (key.toLowerCase() === "g" && mod)) this.moveTo(this.current);
		else return false;
		return true;
	}

	/** Put another note in the middle. */
	private moveTo(index: number): void {
		const note = this.graph.nodes[index]?.note;
		if (note) void this.show(placeOfNote(note));
	}
}

function spoken({ note, hop, via }: GraphNode): string {
	if (hop === 0) return say("graph.middle", { title: note.title });
	return hop === 1 ? say("graph.linked", { title: note.title }) : say("graph.byWayOf", { title: note.title, via });
}

function keysHint(isMac: boolean): HTMLElement {
	return hintLine([
		{ keys: ["← ↑ ↓ →"], label: say("key.next") },
		{ keys: ["↵"], label: say("key.open") },
		{ keys: [isMac ? "⌘" : say("key.Ctrl"), "↵"], label: say("key.open-tab") },
		{ keys: [say("key.Space")], label: say("key.middle") },
		{ keys: [say("key.Esc")], label: say("key.back") },
	]);
}
