/** Proofs of knowing a secret: HMAC-SHA256 (RFC 2104) of a message, as hex. Keys and messages count as UTF-8. */

const CHALLENGE_BYTES = 16;
const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/** 128 random bits as hex. */
export function newChallenge(): string {
	return hex(window.crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)));
}

export async function proofOf(secret: string, message: string): Promise<string> {
	const { subtle } = window.crypto;
	const encoder = new TextEncoder();
	const key = await subtle.importKey("raw", encoder.encode(secret), ALGORITHM, false, ["sign"]);
	return hex(new Uint8Array(await subtle.sign(ALGORITHM.name, key, encoder.encode(message))));
}

/** Does whoever answered `challenge` with `answer` know the secret? */
export async function isProof(secret: string, challenge: string, answer: unknown): Promise<boolean> {
	return answer === (await proofOf(secret, challenge));
}

function hex(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
