import type { Client } from "../../api/client";
import type { Bridge, Cluster, MapNote, MapReply } from "../../api/wire";
import { say } from "../../words/say";
import type { Host } from "../host";
import { fill, h, muted, svg } from "../shared/dom";
import { folderOf } from "../shared/format";
import { icon } from "../shared/icons";
import { emptyNotice, notOffered, retryNotice } from "../shared/notice";
import { pathWords } from "../shared/paths";
import { noneNotice } from "../status/missing";
import { layOutMap, type Blob } from "./mapLayout";

const SIZE = { width: 640, height: 420 };

export interface MapViewOptions {
	client: () => Client;
	host: Host;
	onClose: () => void;
}

/** Clusters of notes that link to each other and the notes between them: a picture, and beside it the same as a list. */
export class MapView {
	readonly element = h("div", { class: "sj-pane sj-map" });
	private asked = 0;

	constructor(private readonly options: MapViewOptions) {
		this.element.addEventListener("keydown", (event) => {
			if (event.key !== "Escape") return;
			event.preventDefault();
			options.onClose();
		});
	}

	/** Ask for the map anew. Never rejects. */
	async load(): Promise<void> {
		const asked = (this.asked += 1);
		const back = h(
			"button",
			{ class: "sj-button", on: { click: () => this.options.onClose() } },
			icon("back"),
			say("map.back"),
		);
		fill(this.element, back, emptyNotice("graph", say("review.looking"), ""));
		back.focus();
		const content = await this.content();
		if (asked === this.asked) fill(this.element, back, ...content);
		if (asked === this.asked) back.focus();
	}

	private async content(): Promise<HTMLElement[]> {
		try {
			const map = await this.options.client().askIfOffered("GET /v1/review/map");
			if (map === null) return [notOffered("graph", "missing.map")];
			const none = emptyNotice("graph", say("map.none"), say("map.none.detail"));
			if (map.clusters.length === 0) return [await noneNotice(this.options.client(), none)];
			return [
				h(
					"div",
					{ class: "sj-pane-head" },
					icon("graph"),
					h("h2", { text: say("map.title", { count: map.clusters.length }) }),
				),
				h("div", { class: "sj-map-columns" }, this.picture(map), this.list(map)),
			];
		} catch (error) {
			return [retryNotice(error, () => void this.load())];
		}
	}

	/** For the eye and the pointer: whatever it says stands in the list. */
	private picture(map: MapReply): Element {
		const { blobs, bands } = layOutMap(map, SIZE);
		const lines = bands.map(({ from, to, width }) =>
			svg("line", {
				class: "sj-map-line",
				x1: String(from.x),
				y1: String(from.y),
				x2: String(to.x),
				y2: String(to.y),
				"stroke-width": width.toFixed(1),
			}),
		);
		const picture = svg(
			"svg",
			{
				class: "sj-map-picture",
				viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
				role: "img",
				"aria-label": say("map.picture"),
			},
			...lines,
			...blobs.map((blob) => this.blob(blob)),
		);
		return picture;
	}

	private blob({ id, x, y, radius, label, labelDrop, isLabelled }: Blob): Element {
		const words = svg("text", { y: String(labelDrop), class: isLabelled ? "" : "is-hidden" });
		words.textContent = label;
		const group = svg(
			"g",
			{ class: "sj-graph-note is-hop-1", transform: `translate(${x} ${y})` },
			svg("circle", { r: String(radius) }),
			words,
		);
		group.addEventListener("click", () => this.show(id));
		return group;
	}

	private show(id: number): void {
		const details = this.element.querySelector<HTMLDetailsElement>(`details[data-cluster="${id}"]`);
		if (!details) return;
		details.open = true;
		details.querySelector("summary")?.focus();
	}

	private list({ clusters, links, bridges, unlinked }: MapReply): HTMLElement {
		const names = new Map(clusters.map(({ id, name }) => [id, name]));
		const linked = (from: number): HTMLElement[] =>
			links.flatMap(({ one, other, count }) => {
				const name = names.get(one === from ? other : one);
				return (one !== from && other !== from) || name === undefined
					? []
					: [h("li", { class: "sj-muted", text: say("map.linked", { count, name }) })];
			});
		return h(
			"div",
			{ class: "sj-map-list" },
			...clusters.map((cluster) => this.cluster(cluster, linked(cluster.id))),
			bridges.length > 0 && h("h3", { text: say("map.bridges") }),
			bridges.length > 0 && h("ul", { class: "sj-findings" }, ...bridges.map((bridge) => this.bridge(bridge))),
			unlinked > 0 && muted(say("map.unlinked", { count: unlinked })),
		);
	}

	private cluster({ id, name, size, notes, profile }: Cluster, linked: HTMLElement[]): HTMLElement {
		const rows = notes.map((note) => h("li", {}, this.note(note, profile)));
		return h(
			"details",
			{ attrs: { "data-cluster": id } },
			h("summary", { text: say("map.cluster", { name, count: size }) }),
			h("ul", { class: "sj-findings" }, ...rows, ...linked),
		);
	}

	private bridge({ note, parts, profile }: Bridge): HTMLElement {
		return h("li", {}, this.note(note, profile), muted(say("map.bridge", { count: parts })));
	}

	private note({ vault, path, title }: MapNote, profile: string): HTMLElement {
		const open = (): void => this.options.host.open({ profile, vault, path, title }, "here");
		return h(
			"button",
			{ class: "sj-finding", on: { click: open } },
			h("span", { text: title, attrs: { dir: "auto" } }),
			h("span", { class: "sj-muted" }, ...pathWords(folderOf(path))),
		);
	}
}
