import { requireApiVersion, type App } from "obsidian";

const SECRET_ID = "scrubjay-token";
const FALLBACK_KEY = "scrubjay-token";

/** The token, in Obsidian's secret storage; before 1.11.4 in this device's local storage. Never in `data.json`. */
export class TokenStore {
	constructor(private readonly app: App) {}

	get(): string | null {
		if (requireApiVersion("1.11.4")) return this.app.secretStorage.getSecret(SECRET_ID) || null;
		const saved: unknown = this.app.loadLocalStorage(FALLBACK_KEY);
		return typeof saved === "string" && saved !== "" ? saved : null;
	}

	/** null: forget it. */
	set(token: string | null): void {
		if (requireApiVersion("1.11.4")) this.app.secretStorage.setSecret(SECRET_ID, token ?? "");
		else this.app.saveLocalStorage(FALLBACK_KEY, token);
	}
}
