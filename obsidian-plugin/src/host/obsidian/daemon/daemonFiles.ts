import { Platform } from "obsidian";

/** What a running daemon writes for its clients; readable by its user alone. */
export interface Discovery {
	url: string;
	/** Proves the daemon's identity; opens nothing. */
	secret: string;
}

export interface Machine {
	platform: string;
	home: string;
	env: Readonly<Record<string, string | undefined>>;
}

const DISCOVERY = "daemon.json";
const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;

/** Node's own modules, which only Obsidian on a computer has; the manifest keeps the plugin from others. */
async function node(): Promise<{ files: typeof import("fs/promises"); system: typeof import("os") }> {
	if (!Platform.isDesktop) throw new Error("Scrubjay runs on computers only.");
	return { files: await import("fs/promises"), system: await import("os") };
}

export async function thisMachine(): Promise<Machine> {
	const { system } = await node();
	return { platform: system.platform(), home: system.homedir(), env: process.env };
}

/** The folder in which the daemon leaves `daemon.json`, as `daemon/home.py` chooses it. `root` stands in for $SCRUBJAY_HOME. */
export async function stateFolder(machine: Machine, root: string): Promise<string> {
	const { env } = machine;
	const home = env["SNAP_REAL_HOME"] || machine.home; // a Snap's own home is a folder of the Snap
	const portable = (root || (env["SCRUBJAY_HOME"] ?? "")).replace(/^~(?=$|[\\/])/, home);
	if (portable) return (await textOf(join(portable, DISCOVERY))) === null ? join(portable, "state") : portable;
	if (machine.platform === "darwin") return join(home, "Library", "Application Support", "scrubjay");
	if (machine.platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "scrubjay");
	return join(hostState(env) || join(home, ".local", "state"), "scrubjay");
}

/** The user's own XDG_STATE_HOME: in a Flatpak or Snap the variable may name a folder of Obsidian's, where no daemon writes. */
function hostState(env: Machine["env"]): string | undefined {
	const state = env["XDG_STATE_HOME"];
	if (env["FLATPAK_ID"]) return env["HOST_XDG_STATE_HOME"];
	return env["SNAP_REAL_HOME"] && state?.startsWith(join(env["SNAP_REAL_HOME"], "snap/")) ? undefined : state;
}

/** What the daemon wrote; null where none runs, or where the file names anything but a port of this machine. */
export async function readDiscovery(folder: string): Promise<Discovery | null> {
	const text = await textOf(join(folder, DISCOVERY));
	if (text === null) return null;
	try {
		const { url, secret } = JSON.parse(text) as Partial<Discovery>;
		return typeof url === "string" && typeof secret === "string" && LOOPBACK.test(url) ? { url, secret } : null;
	} catch {
		return null;
	}
}

/** The path without links on its way, as the daemon knows folders; the path itself where it can't be followed. */
export async function realPath(path: string): Promise<string> {
	const { files } = await node();
	return files.realpath(path).catch(() => path);
}

/** The key that proves to be the same user as the daemon; null where it cannot be read. */
export function readPairingKey(folder: string): Promise<string | null> {
	return textOf(join(folder, "pairing.key"));
}

async function textOf(path: string): Promise<string | null> {
	const { files } = await node();
	return files.readFile(path, "utf8").catch(() => null);
}

/** Windows, too, takes slashes. */
function join(...parts: string[]): string {
	return parts.join("/");
}
