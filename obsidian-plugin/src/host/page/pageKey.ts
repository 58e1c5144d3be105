const ALGORITHM = { name: "HMAC", hash: "SHA-256" };
const DATABASE = "scrubjay";
const STORE = "keys";
const NAME = "session";

/** The key that came with the session, kept so that a reload needs no new ticket. */
export interface KeyStore {
	/** null: there is none, or it cannot be read. */
	load(): Promise<CryptoKey | null>;
	save(key: CryptoKey): Promise<void>;
}

/** A key that no script can read again, not even one of a stranger who serves a page at this very address. */
export function pageKey(secret: string): Promise<CryptoKey> {
	return window.crypto.subtle.importKey("raw", new TextEncoder().encode(secret), ALGORITHM, false, ["sign"]);
}

/** HMAC-SHA256 of a daemon's instance id, as hex: what shows that daemon, and no later one, that this is its page. */
export async function answerTo(instance: string, key: CryptoKey): Promise<string> {
	const signed = await window.crypto.subtle.sign(ALGORITHM.name, key, new TextEncoder().encode(instance));
	return Array.from(new Uint8Array(signed), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** In the browser's own database of this origin: unlike a cookie, it belongs to this port alone. */
export class BrowserKeyStore implements KeyStore {
	async load(): Promise<CryptoKey | null> {
		const found: unknown = await run("readonly", (store) => store.get(NAME)).catch(() => null);
		return found instanceof CryptoKey ? found : null;
	}

	/** Where the browser keeps nothing (a private window, say), the session lasts until the page is left. */
	async save(key: CryptoKey): Promise<void> {
		await run("readwrite", (store) => store.put(key, NAME)).catch(() => null);
	}
}

async function run(mode: IDBTransactionMode, step: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
	const opening = window.indexedDB.open(DATABASE, 1);
	opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
	const database = (await done(opening)) as IDBDatabase;
	try {
		return await done(step(database.transaction(STORE, mode).objectStore(STORE)));
	} finally {
		database.close();
	}
}

function done(request: IDBRequest): Promise<unknown> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error ?? new Error("The browser keeps no data"));
	});
}
