/** Where links pull together what belongs together, and everything else is pushed apart. */

export interface Point {
	x: number;
	y: number;
}

interface Body extends Point {
	/** Pixels per round. */
	dx: number;
	dy: number;
}

const ROUNDS = 220;
/** Rounds do less and less, down to this part of the first. */
const LAST_HEAT = 0.006;
/** What is left of a movement in the round after it. */
const MOMENTUM = 0.6;
const LINK_PX = 70;
const CHARGE = 260;
/** Two notes are never nearer to each other than this. */
const APART_PX = 52;
const GRAVITY = 0.05;
/** The angle by which the seeds of a sunflower follow one another: points so placed are nowhere crowded. */
const SUNFLOWER = Math.PI * (3 - Math.sqrt(5));

/**
 * Places for `count` notes, the first at 0, 0. edges: pairs of their indices. slope: height by width of the picture that they
 * are to fill. The same notes and links give the same places. A force-directed layout after Fruchterman and Reingold (1991);
 * every pair is compared, which for the few dozen notes of a picture takes a few milliseconds.
 */
export function arranged(
	count: number,
	edges: readonly (readonly [from: number, to: number])[],
	slope: number,
): Point[] {
	const bodies = Array.from({ length: count }, (_, index) => beginning(index));
	const links = edges.map(([from, to]) => ({
		from,
		to,
		strength: 1 / Math.min(degree(edges, from), degree(edges, to)),
	}));
	for (let round = 0; round < ROUNDS; round += 1) {
		const heat = LAST_HEAT ** (round / ROUNDS);
		for (const { from, to, strength } of links) pull(bodies[from], bodies[to], heat * strength);
		bodies.forEach((body, index) => {
			for (const other of bodies.slice(index + 1)) push(body, other, heat);
		});
		bodies.forEach((body, index) => (index === 0 ? rest(body) : move(body, heat, slope)));
	}
	return bodies.map(({ x, y }) => ({ x, y }));
}

function beginning(index: number): Body {
	const radius = index === 0 ? 0 : 10 * Math.sqrt(index + 0.5);
	return { x: radius * Math.cos(index * SUNFLOWER), y: radius * Math.sin(index * SUNFLOWER), dx: 0, dy: 0 };
}

function degree(edges: readonly (readonly [number, number])[], index: number): number {
	return edges.filter((edge) => edge.includes(index)).length;
}

function pull(a: Body | undefined, b: Body | undefined, strength: number): void {
	if (!a || !b) return;
	const [x, y] = [b.x + b.dx - a.x - a.dx, b.y + b.dy - a.y - a.dy];
	const distance = Math.hypot(x, y) || 1;
	part(a, b, x, y, (-strength * (distance - LINK_PX)) / distance / 2);
}

function push(a: Body, b: Body, heat: number): void {
	const [x, y] = [b.x - a.x, b.y - a.y];
	const distance = Math.max(1, Math.hypot(x, y));
	const crowding = distance < APART_PX ? (APART_PX - distance) / distance / 2 : 0;
	part(a, b, x, y, (heat * CHARGE) / distance ** 2 + crowding);
}

/** Drive two bodies apart along the line between them; together, where `by` is negative. */
function part(a: Body, b: Body, x: number, y: number, by: number): void {
	a.dx -= x * by;
	a.dy -= y * by;
	b.dx += x * by;
	b.dy += y * by;
}

/** The first stays where it is. */
function rest(body: Body): void {
	body.dx = 0;
	body.dy = 0;
}

function move(body: Body, heat: number, slope: number): void {
	body.dx = (body.dx - body.x * GRAVITY * slope * heat) * MOMENTUM;
	body.dy = (body.dy - (body.y * GRAVITY * heat) / slope) * MOMENTUM;
	body.x += body.dx;
	body.y += body.dy;
}
