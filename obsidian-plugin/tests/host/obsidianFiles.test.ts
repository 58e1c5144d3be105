import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readDiscovery, stateFolder } from "../../src/host/obsidian/daemon/daemonFiles";
import { isProof, newChallenge, proofOf } from "../../src/host/obsidian/daemon/proof";

const SECRET = "k".repeat(64);

describe("where the daemon leaves its files", () => {
	it.each([
		["Linux", { platform: "linux", home: "/h", env: {} }, "", "/h/.local/state/scrubjay"],
		["Linux with XDG", { platform: "linux", home: "/h", env: { XDG_STATE_HOME: "/x" } }, "", "/x/scrubjay"],
		[
			"Linux, in a Flatpak",
			{
				platform: "linux",
				home: "/h",
				env: { FLATPAK_ID: "md.obsidian.Obsidian", XDG_STATE_HOME: "/h/.var/app/x" },
			},
			"",
			"/h/.local/state/scrubjay",
		],
		[
			"Linux with XDG, in a Flatpak",
			{
				platform: "linux",
				home: "/h",
				env: { FLATPAK_ID: "md.obsidian.Obsidian", XDG_STATE_HOME: "/h/.var/app/x", HOST_XDG_STATE_HOME: "/x" },
			},
			"",
			"/x/scrubjay",
		],
		[
			"Linux, in a Flatpak whose user sets nothing",
			{ platform: "linux", home: "/h", env: { FLATPAK_ID: "md.obsidian.Obsidian" } },
			"",
			"/h/.local/state/scrubjay",
		],
		[
			"Linux, in a strict Snap",
			{
				platform: "linux",
				home: "/h/snap/obsidian/42",
				env: { SNAP_REAL_HOME: "/h", XDG_STATE_HOME: "/h/snap/obsidian/42/.local/state" },
			},
			"",
			"/h/.local/state/scrubjay",
		],
		[
			"Linux with XDG, in a Snap",
			{ platform: "linux", home: "/h/snap/obsidian/42", env: { SNAP_REAL_HOME: "/h", XDG_STATE_HOME: "/x" } },
			"",
			"/x/scrubjay",
		],
		[
			"a folder below the user's own, in a Snap",
			{ platform: "linux", home: "/h/snap/obsidian/42", env: { SNAP_REAL_HOME: "/h" } },
			"~/jay",
			"/h/jay/state",
		],
		[
			"Linux, Obsidian's AppImage",
			{ platform: "linux", home: "/h", env: { APPIMAGE: "/h/Obsidian.AppImage" } },
			"",
			"/h/.local/state/scrubjay",
		],
		["Windows without its variable", { platform: "win32", home: "/h", env: {} }, "", "/h/AppData/Local/scrubjay"],
		[
			"Windows, portable",
			{ platform: "win32", home: "/h", env: { LOCALAPPDATA: "/l" } },
			"/stick/jay",
			"/stick/jay/state",
		],
		[
			"macOS, where XDG counts for nothing",
			{ platform: "darwin", home: "/h", env: { XDG_STATE_HOME: "/x" } },
			"",
			"/h/Library/Application Support/scrubjay",
		],
		["macOS", { platform: "darwin", home: "/h", env: {} }, "", "/h/Library/Application Support/scrubjay"],
		["Windows", { platform: "win32", home: "/h", env: { LOCALAPPDATA: "/l" } }, "", "/l/scrubjay"],
		["a folder of its own", { platform: "linux", home: "/h", env: { SCRUBJAY_HOME: "/s" } }, "", "/s/state"],
		["a folder below the user's own", { platform: "linux", home: "/h", env: {} }, "~/jay", "/h/jay/state"],
		[
			"the user's word first",
			{ platform: "linux", home: "/h", env: { SCRUBJAY_HOME: "/s" } },
			"/mine",
			"/mine/state",
		],
	])("%s", async (_, machine, root, want) => {
		expect(await stateFolder(machine, root)).toBe(want);
	});
});

describe("daemon.json", () => {
	const folder = mkdtempSync(join(tmpdir(), "scrubjay-"));

	it("is found where the folder that is named holds it itself", async () => {
		writeFileSync(join(folder, "daemon.json"), "{}");
		expect(await stateFolder({ platform: "linux", home: "/h", env: {} }, folder)).toBe(folder);
	});

	afterAll(() => rmSync(folder, { recursive: true }));

	it.each<[name: string, text: string, found: boolean]>([
		["a daemon's own", JSON.stringify({ url: "http://127.0.0.1:8642", port: 8642, secret: SECRET }), true],
		["another machine", JSON.stringify({ url: "http://192.168.1.9:8642", secret: SECRET }), false],
		["a look-alike", JSON.stringify({ url: "http://127.0.0.1:8642@evil.example", secret: SECRET }), false],
		["no secret", JSON.stringify({ url: "http://127.0.0.1:8642" }), false],
		["half written", '{"url": "http://127', false],
	])("%s", async (_, text, found) => {
		writeFileSync(join(folder, "daemon.json"), text);
		expect((await readDiscovery(folder)) !== null).toBe(found);
	});

	it("is not there", async () => {
		expect(await readDiscovery(join(folder, "nowhere"))).toBeNull();
	});
});

describe("the proof of identity", () => {
	it("is HMAC-SHA256 as hex", async () => {
		expect(await proofOf("key", "The quick brown fox jumps over the lazy dog")).toBe(
			"f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
		);
	});

	it("is refused from whoever does not know the secret", async () => {
		const challenge = newChallenge();
		expect(challenge).toMatch(/^[0-9a-f]{32}$/);
		expect(await isProof(SECRET, challenge, await proofOf(SECRET, challenge))).toBe(true);
		const answers = [await proofOf("other", challenge), "", undefined, 7, await proofOf(SECRET, newChallenge())];
		for (const answer of answers) expect(await isProof(SECRET, challenge, answer)).toBe(false);
	});
});
