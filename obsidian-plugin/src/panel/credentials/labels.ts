import type { Credential } from "../../api/wire";
import { say } from "../../words/say";

/** Kinds by the names of the rules that find them; the first that fits. */
const KINDS = [
	["recovery", /backup-code/],
	["seed", /seed-phrase/],
	["privateKey", /private-key|json-web-key|client-key/],
	["pin", /access-code/],
	["login", /one-time-(secret|link)|otpauth/],
	["number", /card-number|iban|social-security/],
	["licence", /licence-key/],
	["webhook", /webhook/],
	["cookie", /cookie|session/],
	[
		"password",
		/password|passcode|login|netrc|hash|credential-call|curl-user|basic-header|docker-auth|command-line|security-answer/,
	],
	["token", /token|bearer|header/],
	["key", /key/],
] as const satisfies readonly (readonly [string, RegExp])[];
/** A rule that says what it finds in so many words has said it best. */
const SHORT = 3;

/** What a finding is, in one to three words: a vendor's token by its name, everything else by its kind. */
export function kindOf({ rule, about }: Pick<Credential, "rule" | "about">): string {
	const [head = ""] = about.split(/[:,(]/);
	if (head.trim().split(/\s+/).length <= SHORT) return head.trim();
	return say(`secret.${KINDS.find(([, names]) => names.test(rule))?.[0] ?? "other"}`);
}
