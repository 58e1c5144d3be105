/** A place in a picture. */
export interface Point {
	x: number;
	y: number;
}

/** The length that links come to have, nearly. */
const LENGTH = 70;
const ROUNDS = 250;
/** The farthest that a point moves in the first round; the last round moves none. */
const FIRST_STEP = 60;
const TO_MIDDLE = 0.12;
/** Turns from one point to the next on the spiral that they start from, so that no two lie in one line. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/**
 * Place points so that links are short and points apart. The first stays in the middle, at 0, 0.
 *
 * slope: height by width of the picture, which the points are to fill. The same links give the same places. Takes time by
 * the square of `count`: for some dozens of points. Source: Fruchterman and Reingold, Graph drawing by force-directed
 * placement, 1991.
 */
export function settle(count: number, links: readonly (readonly [from: number, to: number])[], slope: number): Point[] {
	const points = Array.from({ length: count }, (_, index) => onSpiral(index));
	for (let round = 0; round < ROUNDS; round += 1) {
		const forces = points.map(({ x, y }): Point => ({ x: -x * TO_MIDDLE * slope, y: (-y * TO_MIDDLE) / slope }));
		for (let one = 0; one < count; one += 1) for (let other = 0; other < one; other += 1) join(points, forces, one, other, (distance) => -(LENGTH * LENGTH) / distance);
		for (const [from, to] of links) join(points, forces, from, to, (distance) => (distance * distance) / LENGTH);
		const step = FIRST_STEP * (1 - round / ROUNDS);
		points.forEach((point, index) => index > 0 && move(point, forces[index], step));
	}
	return points;
}

function onSpiral(index: number): Point {
	const radius = LENGTH * Math.sqrt(index);
	return { x: radius * Math.cos(index * GOLDEN_ANGLE), y: radius * Math.sin(index * GOLDEN_ANGLE) };
}

/** Add to the forces on two points what draws them together; a force below 0 drives them apart. */
function join(points: readonly Point[], forces: readonly Point[], one: number, other: number, strength: (distance: number) => number): void {
	const [a, b, forceOnA, forceOnB] = [points[one], points[other], forces[one], forces[other]];
	if (!a || !b || !forceOnA || !forceOnB) return;
	const distance = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y));
	const force = strength(distance) / distance;
	forceOnA.x += (b.x - a.x) * force;
	forceOnA.y += (b.y - a.y) * force;
	forceOnB.x -= (b.x - a.x) * force;
	forceOnB.y -= (b.y - a.y) * force;
}

function move(point: Point, force: Point | undefined, step: number): void {
	if (!force) return;
	const size = Math.hypot(force.x, force.y);
	const share = size === 0 ? 0 : Math.min(size, step) / size;
	point.x += force.x * share;
	point.y += force.y * share;
}
