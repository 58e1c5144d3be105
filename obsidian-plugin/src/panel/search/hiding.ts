import type { Client } from "../../api/client";
import { say } from "../../words/say";
import type { Host } from "../host";
import { hiddenWords, showAgain } from "../history/hiddenNotes";
import { resultOf } from "../results/resultPane";
import type { Row } from "../results/rows";
import { trouble } from "../shared/trouble";

export interface HidingOptions {
	client: Client;
	host: Host;
	/** The query that is answered. */
	query: () => string;
	/** What is found has changed. */
	onChange: () => void;
}

/** Takes notes that nobody wants there out of the results. */
export class Hiding {
	constructor(private readonly options: HidingOptions) {}

	/** Leave the row's note out when the same is searched again. */
	dismiss(row: Row | null): void {
		void this.hide(row, this.options.query());
	}

	/** Leave it out of every search. */
	hideAlways(row: Row | null): void {
		void this.hide(row, "");
	}

	private async hide(row: Row | null, query: string): Promise<void> {
		const { client, host, onChange } = this.options;
		const result = row && resultOf(row);
		if (!result) return;
		const { profile, vault, path, title } = result;
		try {
			const hidden = await client.ask("POST /v1/hidden", { profile, vault, path, query });
			onChange();
			const undo = (): void =>
				void showAgain(client, hidden).then(onChange, (error: unknown) => host.notify(trouble(error)));
			host.notify(say("hidden.said", { title, how: hiddenWords(hidden) }), { label: say("do.undo"), act: undo });
		} catch (error) {
			host.notify(trouble(error));
		}
	}
}
