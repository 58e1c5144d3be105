import { requestUrl, type App } from "obsidian";
import { Client } from "../../../api/client";
import { ApiError, asApiError } from "../../../api/errors";
import type { ProfileReply } from "../../../api/wire";
import { Connection } from "../../../panel/status/connection";
import { stateFolder, thisMachine } from "./daemonFiles";
import { RequestTransport } from "./requestTransport";
import { TokenStore } from "./tokenStore";
import { Newest } from "../../../panel/shared/newest";

const ROOT_KEY = "scrubjay-root";

/** All that the plugin knows of the daemon: where it is, the token, whether it answers, its profiles. */
export class DaemonLink {
	readonly client: Client;
	readonly connection: Connection;
	profiles: readonly ProfileReply[] = [];
	private readonly transport: RequestTransport;
	private readonly tokens: TokenStore;
	/** The newest request for the profiles. */
	private loading: Promise<void> = Promise.resolve();
	private readonly asked = new Newest();
	private readonly onProfiles = new Set<(profiles: readonly ProfileReply[]) => void>();

	constructor(private readonly app: App) {
		this.tokens = new TokenStore(app);
		this.transport = new RequestTransport(
			requestUrl,
			() => this.folder(),
			() => this.tokens.get(),
		);
		this.client = new Client(this.transport);
		this.connection = new Connection(this.client);
		let wasOnline = false;
		this.connection.listen(({ phase, status }) => {
			const isOnline = phase === "online";
			const known = this.profiles.map(({ name }) => name).sort();
			const named = (status?.profiles ?? []).map(({ name }) => name).sort();
			if (isOnline && (!wasOnline || known.join("\n") !== named.join("\n"))) void this.loadProfiles();
			wasOnline = isOnline;
		});
	}

	get isPaired(): boolean {
		return this.tokens.get() !== null;
	}

	/** Stands in for $SCRUBJAY_HOME; "" for the platform's own folders. */
	get root(): string {
		const saved: unknown = this.app.loadLocalStorage(ROOT_KEY);
		return typeof saved === "string" ? saved : "";
	}

	/** Where the daemon leaves its files. */
	async folder(): Promise<string> {
		return stateFolder(await thisMachine(), this.root);
	}

	/** Is this vault of a profile the one that is open here? Where the daemon does not know, the name decides. */
	isOwn(vault: string, profile?: string): boolean {
		const own = this.ownVaults();
		if (own.length === 0) return vault === this.app.vault.getName();
		return own.some((each) => each.vault === vault && (profile === undefined || each.profile === profile));
	}

	/** Does the daemon say which vault is open here? */
	get isOwnKnown(): boolean {
		return this.ownVaults().length > 0;
	}

	/** What the daemon calls the vault that is open here. */
	get vaultName(): string {
		return this.ownVaults()[0]?.vault ?? this.app.vault.getName();
	}

	/** A file of the daemon's page, by its name. Rejects where there is none. */
	async asset(name: string): Promise<unknown> {
		const reply = await this.transport.send({ method: "GET", path: `/assets/${name}` });
		if (reply.status !== 200) throw ApiError.of(reply);
		return reply.body;
	}

	/** Act the first time that the daemon is there, whether or not it lets this vault in. Returns how to stop waiting. */
	onceFound(act: () => void): () => void {
		let wasFound = false;
		return this.connection.listen(({ phase }) => {
			if (wasFound || phase === "connecting" || phase === "offline") return;
			wasFound = true;
			act();
		});
	}

	setRoot(root: string): void {
		this.app.saveLocalStorage(ROOT_KEY, root);
		this.transport.forget();
		this.connection.retry();
	}

	/** null: forget the token. Resolves once it is known what the new one may see. */
	async setToken(token: string | null): Promise<void> {
		this.tokens.set(token);
		this.profiles = [];
		this.connection.use(this.client);
		await this.loadProfiles();
	}

	/** Have the daemon revoke the token, and forget it in any case. Rejects where the daemon could not be told. */
	async forget(): Promise<void> {
		try {
			await this.client.ask("DELETE /v1/clients/self").catch((error: unknown) => {
				if (!asApiError(error).isUnauthorized) throw error; // a token that opens nothing needs no revoking
			});
		} finally {
			void this.setToken(null);
		}
	}

	/** Called with the profiles that this vault may see, now and whenever they were read anew. Returns how to stop. */
	listenProfiles(listener: (profiles: readonly ProfileReply[]) => void): () => void {
		this.onProfiles.add(listener);
		listener(this.profiles);
		return () => this.onProfiles.delete(listener);
	}

	private ownVaults(): { profile: string; vault: string }[] {
		return this.profiles.flatMap(({ name, vaults }) =>
			vaults.filter(({ own }) => own).map((vault) => ({ profile: name, vault: vault.name })),
		);
	}

	/** Resolves once the newest answer that was asked for is there. Never rejects. */
	private loadProfiles(): Promise<void> {
		this.loading = this.askProfiles();
		return this.loading;
	}

	private async askProfiles(): Promise<void> {
		const isNewest = this.asked.begin();
		const reply = await this.client.ask("GET /v1/profiles").catch(() => null);
		if (!isNewest()) return this.loading;
		this.profiles = reply?.profiles ?? this.profiles;
		for (const listener of this.onProfiles) listener(this.profiles);
	}
}
