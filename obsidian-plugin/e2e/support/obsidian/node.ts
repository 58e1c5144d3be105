/** The parts of Node that the plugin uses, for a browser that has none. */

interface Bridge {
	bridgeReadFile: (path: string) => Promise<string>;
}

export function readFile(path: string): Promise<string> {
	return (window as unknown as Bridge).bridgeReadFile(path);
}

export function realpath(path: string): Promise<string> {
	return Promise.resolve(path);
}

export function homedir(): string {
	return "/";
}

export function platform(): string {
	return "linux";
}
