import { requireApiVersion, type App } from "obsidian";

const SECRET_ID = "scrubjay-token";
const FALLBACK_KEY = "scrubjay-token";

/** The token, in Obsidian's secret storage; before 1.11.4 in this device's local storage. Never in `data.json`. */
export class TokenStore {
	constructor(private readonly app: App) {}

	get(): string | null {
		if (requireApiVersion("1.11.4")) return this.app.secretStorage.getSecret(SECRET_ID) || this.moved();
		return this.saved();
	}

	/** null: forget it. */
	set(token: string | null): void {
		if (requireApiVersion("1.11.4")) this.app.secretStorage.setSecret(SECRET_ID, token ?? "");
		this.app.saveLocalStorage(FALLBACK_KEY, requireApiVersion("1.11.4") ? null : token);
	}

	/** The token that an older Obsidian had to keep in local storage, from now on in the secret storage alone. */
	private moved(): string | null {
		const saved = this.saved();
		if (saved !== null) this.set(saved);
		return saved;
	}

	private saved(): string | null {
		const saved: unknown = this.app.loadLocalStorage(FALLBACK_KEY);
		return typeof saved === "string" && saved !== "" ? saved : null;
	}
}
