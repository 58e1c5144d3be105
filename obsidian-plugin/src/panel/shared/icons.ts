import { svg } from "./dom";

/** Drawn for the panel on a 24 × 24 grid, stroke only, so that they take the text's colour in every theme. */
const PATHS = {
	search: "M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM16.2 16.2L21 21",
	close: "M6 6l12 12M18 6L6 18",
	chevron: "M9 6l6 6l-6 6",
	note: "M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5",
	clock: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM12 8v4.5l3 2",
	key: "M8 11a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM11 12L20 3M16 7l3 3",
	shield: "M12 3l7 3v5.5c0 4.3-2.9 7.7-7 9.5c-4.1-1.8-7-5.2-7-9.5V6zM9 12l2.2 2.2L15.5 10",
	link: "M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7L12 17.7",
	plus: "M12 5v14M5 12h14",
	copy: "M9 9h11v11H9zM5 15H4V4h11v1",
	external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
	warning: "M12 4l9 16H3zM12 10v4.5M12 17.4v.1",
	plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
	layers: "M12 4l9 5l-9 5l-9-5zM3.5 14L12 18.8l8.5-4.8",
	why: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM9.7 9.6a2.4 2.4 0 1 1 3.3 2.6c-.7.3-1 .8-1 1.6M12 16.4v.1",
	refresh: "M20 11a8 8 0 0 0-14.3-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4l1.7-2M20 20v-5h-5",
	check: "M5 12.5l4.5 4.5L19 7.5",
	back: "M19 12H5M11 6l-6 6l6 6",
	graph: "M12 9.5a2.500 2.500 0 1 0 0 5a2.500 2.500 0 0 0 0-5zM5 3.500a2 2 0 1 0 0 4a2 2 0 0 0 0-4zM19 5a2 2 0 1 0 0 4a2 2 0 0 0 0-4zM7 17a2 2 0 1 0 0 4a2 2 0 0 0 0-4zM6.500 6.800l3.700 3.500M17.200 8l-3 2.600M8 17.200l2.600-3",
	trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
	sparkle: "M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8zM19 17v3M17.5 18.5h3",
	jay: "M4 19c5 .4 9-1 11-4.500c1.300-2.300.9-4.500 2.500-6l3-.8l-2.800-1.700c-1.500-2.300-4.800-2.600-6.600-.5c-1.700 2-1.300 4.400-3 7C7 14.200 5.800 16.500 4 19zM15.500 7.300v.1M10 18.300V21M13 17v4",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: whoever uses it says in words what it stands for. */
export function icon(name: IconName, className = "sj-icon"): Element {
	return svg("svg", { class: className, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path", { d: PATHS[name] }));
}
