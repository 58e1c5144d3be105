import { svg } from "./dom";

/** Drawn for the panel on a 24 × 24 grid, stroke only, so that they take the text's colour in every theme. */
const PATHS = {
	search: "M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM16.2 16.2L21 21",
	check: "M5 12.5l4.5 4.5L19 7",
	pin: "M9 4h6l-1 6l3 3v2H7v-2l3-3zM12 15v6",
	hide: "M4 12c2.2-3.6 4.9-5.5 8-5.5s5.8 1.9 8 5.5c-2.2 3.6-4.9 5.5-8 5.5s-5.8-1.9-8-5.5zM5 19L19 5",
	close: "M6 6l12 12M18 6L6 18",
	note: "M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5",
	folder: "M3 6h6l2 2h10v11H3z",
	document: "M6 3h8l5 5v13H6zM14 3v5h5M9 12h2M9 15h7M9 18h7",
	book: "M5 5c3-1.5 5-1.5 7 0c2-1.5 4-1.5 7 0v14c-3-1.5-5-1.5-7 0c-2-1.5-4-1.5-7 0zM12 5v14",
	slides: "M4 5h16v10H4zM12 15v3M8 20l4-2l4 2",
	sheet: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
	web: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM4 12h16M12 4c-3 2.5-3 13.5 0 16c3-2.5 3-13.5 0-16",
	canvas: "M4 5h7v6H4zM13 13h7v6h-7zM11 8h5.5v5",
	picture: "M4 5h16v14H4zM4 16l5-5l4 4l2.5-2.5L20 17M15 8.5v.1",
	code: "M9 8l-4 4l4 4M15 8l4 4l-4 4",
	media: "M5 4h14v16H5zM10 9l5 3l-5 3z",
	clock: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM12 8v4.5l3 2",
	key: "M8 11a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM11 12L20 3M16 7l3 3",
	shield: "M12 3l7 3v5.5c0 4.3-2.9 7.7-7 9.5c-4.1-1.8-7-5.2-7-9.5V6zM9 12l2.2 2.2L15.5 10",
	link: "M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7L12 17.7",
	external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
	warning: "M12 4l9 16H3zM12 10v4.5M12 17.4v.1",
	plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
	layers: "M12 4l9 5l-9 5l-9-5zM3.5 14L12 18.8l8.5-4.8",
	why: "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16zM9.7 9.6a2.4 2.4 0 1 1 3.3 2.6c-.7.3-1 .8-1 1.6M12 16.4v.1",
	up: "M6 15l6-6l6 6",
	down: "M6 9l6 6l6-6",
	back: "M19 12H5M11 6l-6 6l6 6",
	sparkle: "M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8zM19 17v3M17.5 18.5h3",
} as const;

export type IconName = keyof typeof PATHS;

/** Of Scrubjay itself, on the same grid. */
export const JAY =
	"M4 19c5 .4 9-1 11-4.5c1.3-2.3.9-4.5 2.5-6l3-.8l-2.8-1.7c-1.5-2.3-4.8-2.6-6.6-.5c-1.7 2-1.3 4.4-3 7C7 14.2 5.8 16.5 4 19zM15.5 7.3v.1M10 18.3V21M13 17v4";

/** Decorative: whoever uses it says in words what it stands for. */
export function icon(name: IconName, className = "sj-icon"): Element {
	return drawn(PATHS[name], className);
}

/** A path on the same grid, drawn in the same way. */
export function drawn(path: string, className: string): Element {
	return svg(
		"svg",
		{ class: className, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
		svg("path", { d: path }),
	);
}
