import { asApiError } from "../../api/errors";
import { say } from "../../words/say";
import { told } from "./told";

/** What went wrong, to be shown. */
export function trouble(error: unknown): string {
	const { code, status, message, isUnreachable } = asApiError(error);
	return isUnreachable ? say("error.unreachable") : told(`error.${code}`, message) || say("error.status", { status });
}
