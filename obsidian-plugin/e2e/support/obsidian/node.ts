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

/** The daemon keeps its files in a folder `state` of its home here. */
export function existsSync(): boolean {
	return false;
}

export function join(...parts: string[]): string {
	return parts.join("/");
}

export function homedir(): string {
	return "/";
}

export function platform(): string {
	return "linux";
}

/** What is to be unpacked goes out: the server beside the page has Node's own `zlib`. */
export function brotliDecompressSync(packed: Uint8Array<ArrayBuffer>): string {
	const request = new XMLHttpRequest();
	request.open("POST", "/unpacked", false);
	request.send(packed);
	return request.responseText;
}
