/** Paths of folders on the daemon's computer, in whichever way its system writes them. */

/** The folder that a folder lies in; itself at the top. */
export function folderOver(folder: string): string {
	const over = folder.replace(/[\\/]+[^\\/]*[\\/]*$/, "");
	if (over === "") return "/";
	return /^[a-z]:$/i.test(over) ? `${over}\\` : over;
}

export function folderBelow(folder: string, name: string): string {
	const separator = folder.includes("\\") ? "\\" : "/";
	return `${folder.replace(/[\\/]$/, "")}${separator}${name}`;
}
