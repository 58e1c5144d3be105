import type { WalkReply } from "../../api/wire";
import type { OfferedNote } from "../../api/words";
import { arranged, type Point } from "./forces";

export interface GraphNode extends Labelled {
	note: OfferedNote;
	/** Links away from the note in the middle, which is 0. */
	hop: number;
	/** Title of the note through which this one was reached; "" for the middle. */
	via: string;
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
const CAPITAL_PX = 9;
/** A sign of a script that is written in squares. */
const SQUARE_PX = 12.5;
const LABEL_PX = 15;
/** The largest note's radius, with its line. */
const DOT_PX = 10;
/** How far above its baseline the middle of a label is. */
const MIDDLE_PX = 4;
/** From a dot's edge to the baseline of its label below it, else above it. */
const BELOW_PX = 12;
const ABOVE_PX = 4;

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
		return {
			note,
			hop,
			via: from?.note.title ?? "",
			...unlabelled(note.title, DOT_PX),
			...place(points[index] ?? { x: 0, y: 0 }),
		};
	});
	return { nodes: label(nodes), edges };
}

/** Something in a picture that has a label. */
export interface Labelled extends Point {
	/** Its name, or the beginning of it. */
	label: string;
	/** With its line, in pixels. */
	radius: number;
	/** How far below its middle the label stands; above it where negative. */
	labelDrop: number;
	/** Is there room for the label? Otherwise it is shown only while the dot is pointed at. */
	isLabelled: boolean;
}

/** Before it is known where the label stands. */
export function unlabelled(
	name: string,
	radius: number,
): Pick<Labelled, "label" | "radius" | "labelDrop" | "isLabelled"> {
	const short = name.length > LONGEST_LABEL ? `${name.slice(0, LONGEST_LABEL - 1)}…` : name;
	return { label: short, radius, labelDrop: 0, isLabelled: false };
}

/** Label what there is room for, the first before the others: a label stands on no other and on no dot. */
export function label<Dot extends Labelled>(dots: readonly Dot[]): Dot[] {
	const taken: { x: number; y: number; half: number }[] = [];
	return dots.map((dot) => {
		const half = widthOf(dot.label) / 2;
		const isClear = (drop: number): boolean =>
			dots.every(
				({ x, y, radius }) =>
					Math.abs(x - dot.x) > half + radius ||
					Math.abs(y - dot.y - drop + MIDDLE_PX) >= LABEL_PX / 2 + radius,
			);
		const isFree = (drop: number): boolean =>
			isClear(drop) &&
			taken.every(
				({ x, y, half: other }) => Math.abs(x - dot.x) > half + other || Math.abs(y - dot.y - drop) >= LABEL_PX,
			);
		const below = dot.radius + BELOW_PX;
		const labelDrop = [below, -dot.radius - ABOVE_PX].find(isFree);
		if (labelDrop !== undefined) taken.push({ x: dot.x, y: dot.y + labelDrop, half });
		return { ...dot, labelDrop: labelDrop ?? below, isLabelled: labelDrop !== undefined };
	});
}

/** About how wide a label is drawn, rather too wide than too narrow. */
function widthOf(label: string): number {
	const widths = Array.from(label, (sign) =>
		sign >= "\u1100" ? SQUARE_PX : /\p{Lu}/u.test(sign) ? CAPITAL_PX : LETTER_PX,
	);
	return widths.reduce((sum, width) => sum + width, 0);
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
