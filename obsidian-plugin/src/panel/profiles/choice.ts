/** What of a vault may be read, as the API has it: folders, "." for the whole vault. An exclusion always wins. */
export interface Choice {
	readonly allow: readonly string[];
	readonly exclude: readonly string[];
}

/** How a folder stands: by itself, or by a folder above it. */
export type Standing = "read" | "never" | "unread";

export const NOTHING: Choice = { allow: [], exclude: [] };

/** How the folder at `path` stands; "." is the vault itself. */
export function standingOf({ allow, exclude }: Choice, path: string): Standing {
	const above = ancestors(path);
	if (above.some((each) => exclude.includes(each))) return "never";
	return above.some((each) => allow.includes(each)) ? "read" : "unread";
}

/** Whether a folder above decides that nothing in this one is ever read. */
export function isBarredAbove({ exclude }: Choice, path: string): boolean {
	return ancestors(path).some((each) => each !== path && exclude.includes(each));
}

/** How a folder stands once it is left out no longer: as what is above it says. */
export function standingAround(choice: Choice, path: string): Standing {
	return isReadAbove(choice, path) ? "read" : "unread";
}

/** Whether this folder is read because one above it is. */
function isReadAbove({ allow }: Choice, path: string): boolean {
	return ancestors(path).some((each) => each !== path && allow.includes(each));
}

/**
 * The choice with another standing for one folder. What is said of folders in it goes with "read" and "unread": a tick
 * says the same of all that is below it.
 */
export function withStanding(choice: Choice, path: string, standing: Standing): Choice {
	const others = (listed: readonly string[]): string[] => listed.filter((each) => !isAtOrBelow(each, path));
	const allow = others(choice.allow);
	const exclude = others(choice.exclude);
	if (standing === "read") return { allow: isReadAbove(choice, path) ? allow : [...allow, path], exclude };
	if (standing === "never") return { allow, exclude: [...exclude, path] };
	return isReadAbove(choice, path) ? { allow, exclude: [...exclude, path] } : { allow, exclude };
}

/** Whether anything may be read at all. */
export function isNothing({ allow }: Choice): boolean {
	return allow.length === 0;
}

/** The path of a folder in another; "." is the vault. */
export function inside(folder: string, name: string): string {
	return folder === "." ? name : `${folder}/${name}`;
}

function isAtOrBelow(path: string, folder: string): boolean {
	return folder === "." || path === folder || path.startsWith(`${folder}/`);
}

/** The path and all folders above it, the vault last. */
function ancestors(path: string): string[] {
	const parts = path === "." ? [] : path.split("/");
	return [...parts.map((_, index) => parts.slice(0, parts.length - index).join("/")), "."];
}
