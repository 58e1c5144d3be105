import type { Mode } from "../api/words";

/** What the user may choose about the panel. None of it is secret. */
export interface PanelSettings {
	mode: Mode;
	/** Results asked for at first; scrolling asks for more. */
	limit: number;
	asYouType: boolean;
	/** Jump to the match; otherwise the note opens where it was left. */
	jumpToMatch: boolean;
	/** Preview notes under the pointer, where the host can. */
	preview: boolean;
	/** Suggest links by meaning where the host has an editor. */
	suggestLinks: boolean;
	/** Related notes at the end of each note, where the host shows notes. */
	relatedBelow: boolean;
	keepHistory: boolean;
}

/** What is on or off. */
export type Switch = "asYouType" | "jumpToMatch" | "preview" | "suggestLinks" | "relatedBelow" | "keepHistory";

export const DEFAULT_SETTINGS: PanelSettings = {
	mode: "hybrid",
	limit: 20,
	asYouType: true,
	jumpToMatch: true,
	preview: true,
	suggestLinks: true,
	relatedBelow: false,
	keepHistory: true,
};

const MODES: readonly string[] = ["hybrid", "lexical", "semantic"];
const MOST_RESULTS = 100;

/** Settings as they were saved, whatever an older version or a hand edit left there. */
export function readSettings(saved: unknown): PanelSettings {
	const from = typeof saved === "object" && saved !== null ? (saved as Record<string, unknown>) : {};
	const flag = (name: Switch): boolean => {
		const value = from[name];
		return typeof value === "boolean" ? value : DEFAULT_SETTINGS[name];
	};
	const limit = from["limit"];
	const mode = from["mode"];
	return {
		mode: typeof mode === "string" && MODES.includes(mode) ? (mode as Mode) : DEFAULT_SETTINGS.mode,
		limit:
			typeof limit === "number" && limit >= 1 && limit <= MOST_RESULTS
				? Math.round(limit)
				: DEFAULT_SETTINGS.limit,
		asYouType: flag("asYouType"),
		jumpToMatch: flag("jumpToMatch"),
		preview: flag("preview"),
		suggestLinks: flag("suggestLinks"),
		relatedBelow: flag("relatedBelow"),
		keepHistory: flag("keepHistory"),
	};
}
