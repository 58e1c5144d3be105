import type { WalkReply } from "../../api/wire";
import type { OfferedNote } from "../../api/words";
import { arranged, type Point } from "./forces";

export interface GraphNode {
	note: OfferedNote;
	/** Links away from the note in the middle, which is 0. */
	hop: number;
	/** Title of the note through which this one was reached; "" for the middle. */
	via: string;
	x: number;
	y: number;
	/** Its title, or the beginning of it. */
	label: string;
	/** How far below the note its label stands; above it where negative. */
	labelDrop: number;
	/** Is there room for the label? Otherwise it is shown only while the note is pointed at. */
	isLabelled: boolean;
}

export interface Graph {
	/** The middle first, then by distance. */
	nodes: GraphNode[];
	/** Pairs of indices into `nodes`. */
	edges: [from: number, to: number][];
}

export interface Size {
	width: number;
	height: number;
}

const SIDE_PX = 74;
const TOP_PX = 26;
const BOTTOM_PX = 34;
const LONGEST_LABEL = 26;
const LETTER_PX = 6.4;
const LABEL_PX = 15;
/** The largest note's radius, with its line. */
const DOT_PX = 10;
/** How far above its baseline the middle of a label is. */
const MIDDLE_PX = 4;
/** Where a label may stand: below its note, else above it. */
const LABEL_DROPS_PX = [22, -14];

/** Place the notes of a walk in a picture of this size. The same walk gives the same picture. */
export function layOut(walk: WalkReply, size: Size): Graph {
	const steps = walk.steps;
	const indexOf = new Map(steps.map(({ note }, index) => [note.path, index]));
	const edges = steps.flatMap(({ via }, index): [number, number][] => {
		const from = via === null ? undefined : indexOf.get(via);
		return from === undefined ? [] : [[from, index]];
	});
	const points = arranged(steps.length, edges, size.height / size.width);
	const place = fitting(points, size);
	const nodes = steps.map(({ note, hop, via }, index): GraphNode => {
		const from = via === null ? undefined : steps[indexOf.get(via) ?? -1];
		const label = note.title.length > LONGEST_LABEL ? `${note.title.slice(0, LONGEST_LABEL - 1)}…` : note.title;
		return {
			note,
			hop,
			via: from?.note.title ?? "",
			label,
			labelDrop: 0,
			isLabelled: false,
			...place(points[index] ?? { x: 0, y: 0 }),
		};
	});
	return { nodes: labelled(nodes), edges };
}

/** Label what there is room for, the nearest notes first: a label stands on no other and on no note. */
function labelled(nodes: readonly GraphNode[]): GraphNode[] {
	const taken: { x: number; y: number; half: number }[] = [];
	return nodes.map((node) => {
		const half = (node.label.length * LETTER_PX) / 2;
		const isClear = (drop: number): boolean =>
			nodes.every(
				({ x, y }) =>
					Math.abs(x - node.x) > half + DOT_PX ||
					Math.abs(y - node.y - drop + MIDDLE_PX) >= LABEL_PX / 2 + DOT_PX,
			);
		const isFree = (drop: number): boolean =>
			isClear(drop) &&
			taken.every(
				({ x, y, half: other }) =>
					Math.abs(x - node.x) > half + other || Math.abs(y - node.y - drop) >= LABEL_PX,
			);
		const [below = 0] = LABEL_DROPS_PX;
		const labelDrop = LABEL_DROPS_PX.find(isFree);
		if (labelDrop !== undefined) taken.push({ x: node.x, y: node.y + labelDrop, half });
		return { ...node, labelDrop: labelDrop ?? below, isLabelled: labelDrop !== undefined };
	});
}

/** Where points go that are to fill a picture of this size, with room for their labels. */
export function fitting(points: readonly Point[], { width, height }: Size): (point: Point) => Point {
	const across = axis(
		points.map(({ x }) => x),
		SIDE_PX,
		width - SIDE_PX,
	);
	const down = axis(
		points.map(({ y }) => y),
		TOP_PX,
		height - BOTTOM_PX,
	);
	return ({ x, y }) => ({ x: across(x), y: down(y) });
}

/** Stretch or shrink values into a range; never to more than half as much again, so that few notes stay together. */
function axis(values: readonly number[], low: number, high: number): (value: number) => number {
	const least = Math.min(...values);
	const most = Math.max(...values);
	const scale = Math.min(1.5, Math.max(0, high - low) / Math.max(1, most - least));
	const middle = (low + high) / 2;
	return (value) => Math.round(middle + (value - (least + most) / 2) * scale);
}
