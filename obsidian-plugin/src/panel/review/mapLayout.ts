import type { MapReply } from "../../api/wire";
import { arranged } from "../graph/forces";
import { fitting, label, unlabelled, type Labelled, type Size } from "../graph/layout";

/** A cluster in the picture. */
export interface Blob extends Labelled {
	id: number;
}

/** Links between two clusters. */
export interface Band {
	from: Blob;
	to: Blob;
	width: number;
}

const LEAST_PX = 7;
const MORE_PX = 22;
const WIDEST_PX = 7;

/** Place clusters in a picture of this size, the larger the more notes. The same map gives the same picture. */
export function layOutMap(
	{ clusters, links }: Pick<MapReply, "clusters" | "links">,
	size: Size,
): { blobs: Blob[]; bands: Band[] } {
	const places = new Map(clusters.map(({ id }, index) => [id, index]));
	const pairs = links.flatMap(({ one, other, count }) => {
		const [from, to] = [places.get(one), places.get(other)];
		return from === undefined || to === undefined || from === to ? [] : [{ from, to, count }];
	});
	const points = arranged(
		clusters.length,
		pairs.map(({ from, to }) => [from, to] as const),
		size.height / size.width,
	);
	const place = fitting(points, size);
	const largest = Math.max(1, ...clusters.map(({ size: notes }) => notes));
	const most = Math.max(1, ...pairs.map(({ count }) => count));
	const blobs = label(
		clusters.map(({ id, name, size: notes }, index): Blob => ({
			id,
			...unlabelled(name, Math.round(LEAST_PX + MORE_PX * Math.sqrt(notes / largest))),
			...place(points[index] ?? { x: 0, y: 0 }),
		})),
	);
	const bands = pairs.flatMap(({ from, to, count }): Band[] => {
		const [a, b] = [blobs[from], blobs[to]];
		return a && b ? [{ from: a, to: b, width: 1 + (WIDEST_PX - 1) * (count / most) }] : [];
	});
	return { blobs, bands };
}
