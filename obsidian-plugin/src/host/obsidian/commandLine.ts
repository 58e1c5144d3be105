import { requireApiVersion } from "obsidian";
import { trouble } from "../../panel/shared/trouble";
import { say } from "../../words/say";
import type { PanelPlugin } from "./panelPlugin";
import type { Choice, FoundNote, PluginApi } from "./pluginApi";

/** `obsidian scrubjay:search query=…` and `obsidian scrubjay:related path=…`, where Obsidian takes commands of plugins. */
export function registerCommandLine(plugin: PanelPlugin, api: PluginApi): void {
	const shared = {
		limit: { value: "<n>", description: say("settings.limit") },
		format: { value: "<text|json>", description: "JSON" },
	};
	const query = { value: "<query>", description: say("box.label"), required: true };
	const path = { value: "<path>", description: say("block.note") };
	const search = (given: Given): Promise<string> => told(given, api.search(given["query"] ?? "", chosen(given)));
	const related = (given: Given): Promise<string> =>
		told(given, api.related(given["path"] ?? plugin.app.workspace.getActiveFile()?.path ?? "", chosen(given)));
	if (requireApiVersion("1.12.2")) {
		plugin.registerCliHandler("scrubjay:search", say("command.ribbon"), { query, ...shared }, search);
		plugin.registerCliHandler("scrubjay:related", say("command.showRelated"), { path, ...shared }, related);
	}
}

/** What was typed, by the names of the flags. */
type Given = Readonly<Record<string, string>>;

function chosen({ limit }: Given): Choice {
	return limit === undefined ? {} : { limit: Number(limit) };
}

/** What is printed: a line a note and its excerpt, or all of it as JSON. */
async function told({ format }: Given, asked: Promise<readonly FoundNote[]>): Promise<string> {
	try {
		const found = await asked;
		if (format === "json") return JSON.stringify(found, null, 2);
		return found.length === 0 ? say("block.none") : found.map(lineOf).join("\n");
	} catch (error) {
		return trouble(error);
	}
}

function lineOf({ vault, path, line, isHere, excerpt }: FoundNote): string {
	const place = (isHere ? "" : `${vault}: `) + path + (line === undefined ? "" : `:${line}`);
	return `${place}\t${excerpt.replace(/\s+/g, " ").trim()}`.trim();
}
