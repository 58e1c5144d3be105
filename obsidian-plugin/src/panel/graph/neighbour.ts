import type { GraphNode } from "./layout";

/** The node that an arrow key leads to: the nearest in that direction, those off the axis counting as farther. */
export function neighbour(nodes: readonly GraphNode[], from: number, key: string): number | null {
	const start = nodes[from];
	const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
	if (!start || !direction) return null;
	const [dx = 0, dy = 0] = direction;
	let best: number | null = null;
	let least = Infinity;
	nodes.forEach(({ x, y }, index) => {
		const along = (x - start.x) * dx + (y - start.y) * dy;
		const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
		const cost = along + 2 * aside;
		if (index === from || along <= 1 || cost >= least) return;
		best = index;
		least = cost;
	});
	return best;
}
