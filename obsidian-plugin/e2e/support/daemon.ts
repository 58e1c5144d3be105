import { once } from "node:events";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { request } from "playwright-core";
import type { ReviewReply, SearchResponse, Status } from "../../src/api/wire";

const ROOT = join(import.meta.dirname, "../../..");
/** The program under test: this checkout's, or another by its path, a stand-alone one say. */
const SCRUBJAY = process.env["SCRUBJAY_PROGRAM"] ?? join(ROOT, ".venv/bin/scrubjay");
/** What stands for it: on Linux a command that is forked from a process which has imported it, a second sooner. */
const FORKING = "SCRUBJAY_FORKING";
const [PROGRAM = SCRUBJAY, ...FIRST] = JSON.parse(process.env[FORKING] ?? "[]") as string[];
const START_MS = 90_000;
/** What embeds gives way to all other programs: beside many of them it gets a hundredth of a processor. */
const INDEX_MS = 900_000;

/** Why the end-to-end tests cannot run here; null where they can. */
export const MISSING_DAEMON = existsSync(SCRUBJAY) ? null : `there is no ${SCRUBJAY}: run make setup`;

/** Have all commands forked until what is given is called. */
export async function forkCommands(): Promise<() => void> {
	if (MISSING_DAEMON !== null || process.platform !== "linux" || process.env["SCRUBJAY_PROGRAM"]) return () => {};
	const forking = spawn(join(ROOT, ".venv/bin/python"), ["-m", "tests.helpers.forked"], {
		cwd: ROOT,
		stdio: ["pipe", "pipe", "inherit"],
	});
	const [said] = (await once(forking.stdout, "data")) as [Buffer];
	process.env[FORKING] = said.toString();
	return () => forking.stdin.end();
}

export interface ProfileFiles {
	name: string;
	/** Vault-relative path to content; "sample" is the vault that `make run` shows. */
	files: Record<string, string> | "sample";
}

/** The real daemon on real vaults, in a home of its own. */
export class RunningDaemon {
	private process: ChildProcess | null = null;
	private log = "";
	/** Where it listens, or listened last. */
	url = "";
	private ownToken: string | undefined;
	private profiles = 0;

	private constructor(readonly home: string) {}

	/** Write the vaults, make the profiles, start the daemon and wait until everything is embedded. */
	static async start(profiles: readonly ProfileFiles[]): Promise<RunningDaemon> {
		const daemon = new RunningDaemon(mkdtempSync(join(tmpdir(), "scrubjay-e2e-")));
		for (const profile of profiles) await daemon.create(profile);
		try {
			await daemon.run(0);
			await daemon.whenIndexed();
		} catch (error) {
			await daemon.remove();
			throw error;
		}
		return daemon;
	}

	/** Another profile of the running daemon; waits until it is embedded. */
	async add(profile: ProfileFiles): Promise<void> {
		await this.create(profile);
		await this.whenIndexed();
	}

	/** Encrypt a profile by a passphrase; it stays open. */
	async encrypt(name: string, passphrase: string): Promise<void> {
		await this.post(`/v1/profiles/${await this.idOf(name)}/protection`, { by: "passphrase", passphrase });
	}

	/** Lock a profile; waits until the others answer by meaning again, since the process that had its passages is ended. */
	async lock(name: string): Promise<void> {
		await this.post(`/v1/profiles/${await this.idOf(name)}/lock`, {});
		await this.until(START_MS, async () => (await this.search("harbour")).semantic === "used");
	}

	/** Where other programs keep their settings, as far as the daemon is concerned. */
	get configuration(): string {
		return join(this.home, "configuration");
	}

	/** As new again. */
	async removeProfiles(): Promise<void> {
		const { profiles } = await this.get<{ profiles: { id: string }[] }>("/v1/profiles");
		for (const { id } of profiles) await this.send("DELETE", `/v1/profiles/${id}`, await this.token());
		this.profiles = 0;
	}

	vaultOf(profile: string): string {
		return join(this.home, "vaults", profile);
	}

	/** An address that opens the search page once, as `scrubjay open --print` gives it. */
	async pageAddress(): Promise<string> {
		const { path } = (await this.send("POST", "/v1/tickets", await this.token(), {})) as { path: string };
		return `${this.url}${path}`;
	}

	async run(port: number): Promise<void> {
		const child = spawn(PROGRAM, [...FIRST, "run", "--port", String(port)], {
			env: this.env,
			stdio: ["ignore", "pipe", "pipe"],
		});
		this.process = child;
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (part: Buffer) => (this.log += part.toString()));
		const discovery = join(this.home, "state/daemon.json");
		await this.until(START_MS, () => Promise.resolve(existsSync(discovery)));
		this.url = (JSON.parse(readFileSync(discovery, "utf8")) as { url: string }).url;
		await this.until(START_MS, () =>
			this.send("GET", "/health").then(
				() => true,
				() => false,
			),
		);
	}

	async whenIndexed(): Promise<void> {
		await this.until(INDEX_MS, async () => {
			const { profiles } = await this.get<Status>("/v1/status");
			return (
				profiles.length === this.profiles &&
				profiles.every(
					({ state, notes, pending_embeddings }) => state === "idle" && notes > 0 && pending_embeddings === 0,
				)
			);
		});
	}

	/** Wait until the review has looked at every note. */
	async whenReviewed(): Promise<void> {
		await this.until(INDEX_MS, async () => (await this.get<ReviewReply>("/v1/review")).waiting === 0);
	}

	async get<Reply>(path: string): Promise<Reply> {
		return (await this.send("GET", path, await this.token())) as Reply;
	}

	async post(path: string, body: unknown): Promise<unknown> {
		return this.send("POST", path, await this.token(), body);
	}

	/** Let a client see all profiles, as its user may decide. */
	async showAll(client: string): Promise<void> {
		await this.send("POST", `/v1/clients/${client}`, await this.token(), { profiles: "all" });
	}

	async search(query: string): Promise<SearchResponse> {
		return (await this.send("POST", "/v1/search", await this.token(), { query, limit: 20 })) as SearchResponse;
	}

	/** The results of this query that the profile's history says were opened. */
	async remembered(profile: string, query: string): Promise<string[]> {
		const { events } = await this.get<{ events: { query: string; opened: string[] }[] }>(
			`/v1/history?${new URLSearchParams({ profile })}`,
		);
		return events.filter((event) => event.query === query).flatMap(({ opened }) => opened);
	}

	/** Stop as Ctrl-C does. */
	async stop(): Promise<void> {
		const child = this.process;
		this.process = null;
		if (!child || child.exitCode !== null) return;
		const ended = new Promise((resolve) => child.once("exit", resolve));
		child.kill("SIGINT");
		await ended;
	}

	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.home, { recursive: true, force: true });
	}

	async cli(...args: string[]): Promise<string> {
		return (await promisify(execFile)(PROGRAM, [...FIRST, ...args], { env: this.env })).stdout;
	}

	private async token(): Promise<string> {
		return (this.ownToken ??= (await this.cli("token")).trim());
	}

	private async send(method: string, path: string, token?: string, data?: unknown): Promise<unknown> {
		const http = await request.newContext({
			baseURL: this.url,
			...(token ? { extraHTTPHeaders: { Authorization: `Bearer ${token}` } } : {}),
		});
		try {
			return await (await http.fetch(path, { method, data, failOnStatusCode: true })).json();
		} finally {
			await http.dispose();
		}
	}

	private get env(): NodeJS.ProcessEnv {
		return {
			...process.env,
			HOME: this.home, // whose folders the page offers to look through
			SCRUBJAY_HOME: this.home,
			XDG_CONFIG_HOME: this.configuration,
			PYTHON_KEYRING_BACKEND: "keyring.backends.fail.Keyring",
		};
	}

	private async idOf(profile: string): Promise<string> {
		const { profiles } = await this.get<{ profiles: { id: string; name: string }[] }>("/v1/profiles");
		return profiles.find(({ name }) => name === profile)?.id ?? "";
	}

	private async create(profile: ProfileFiles): Promise<void> {
		await this.writeVault(profile);
		await this.cli("profile", "create", profile.name, "--vault", this.vaultOf(profile.name), "--allow", ".");
		this.profiles += 1;
	}

	private async writeVault({ name, files }: ProfileFiles): Promise<void> {
		const vault = this.vaultOf(name);
		if (files === "sample") {
			const write =
				"import pathlib, sys; sys.path.insert(0, sys.argv[1]); import sample_vault; sample_vault.materialise(pathlib.Path(sys.argv[2]))";
			mkdirSync(dirname(vault), { recursive: true });
			await promisify(execFile)(join(ROOT, ".venv/bin/python"), ["-c", write, join(ROOT, "packaging"), vault]);
			return;
		}
		const written = Object.entries(files);
		for (const [place, [path, content]] of written.entries()) {
			mkdirSync(dirname(join(vault, path)), { recursive: true });
			writeFileSync(join(vault, path), content);
			// Each later than the one before: a file system's clock is too coarse to tell which is the newest.
			const changed = Date.now() / 1000 - (written.length - place) / 10;
			utimesSync(join(vault, path), changed, changed);
		}
	}

	private async until(limit: number, isTrue: () => Promise<boolean>): Promise<void> {
		const end = Date.now() + limit;
		while (!(await isTrue())) {
			if (Date.now() > end) throw new Error(`The daemon took longer than ${limit} ms.\n${this.log}`);
			await pause(100);
		}
	}
}
