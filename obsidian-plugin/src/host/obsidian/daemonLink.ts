import type { App } from "obsidian";
import { Client } from "../../api/client";
import type { ProfileReply } from "../../api/wire";
import { Connection } from "../../panel/status/connection";
import { stateFolder, thisMachine } from "./daemonFiles";
import { RequestTransport } from "./requestTransport";
import { TokenStore } from "./tokenStore";

const ROOT_KEY = "scrubjay-root";

/** All that the plugin knows of the daemon: where it is, the token, whether it answers, its profiles. */
export class DaemonLink {
	readonly client: Client;
	readonly connection: Connection;
	profiles: readonly ProfileReply[] = [];
	private readonly transport: RequestTransport;
	private readonly tokens: TokenStore;
	private readonly onProfiles = new Set<(profiles: readonly ProfileReply[]) => void>();

	constructor(private readonly app: App) {
		this.tokens = new TokenStore(app);
		this.transport = new RequestTransport(
			() => this.folder,
			() => this.tokens.get(),
		);
		this.client = new Client(this.transport);
		this.connection = new Connection(this.client);
		let wasOnline = false;
		this.connection.listen(({ phase }) => {
			if (phase === "online" && !wasOnline) void this.loadProfiles();
			wasOnline = phase === "online";
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

	get folder(): string {
		return stateFolder(thisMachine(), this.root);
	}

	setRoot(root: string): void {
		this.app.saveLocalStorage(ROOT_KEY, root);
		this.transport.forget();
		this.connection.retry();
	}

	/** null: forget the token. */
	setToken(token: string | null): void {
		this.tokens.set(token);
		this.profiles = [];
		this.connection.use(this.client);
		void this.loadProfiles();
	}

	/** Called with the profiles that this vault may see, now and whenever they were read anew. Returns how to stop. */
	listenProfiles(listener: (profiles: readonly ProfileReply[]) => void): () => void {
		this.onProfiles.add(listener);
		listener(this.profiles);
		return () => this.onProfiles.delete(listener);
	}

	private async loadProfiles(): Promise<void> {
		this.profiles = await this.client.profiles().catch(() => this.profiles);
		for (const listener of this.onProfiles) listener(this.profiles);
	}
}
