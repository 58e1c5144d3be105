import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import * as mocks from "obsidian-test-mocks/obsidian";
import { setup } from "obsidian-test-mocks/setup";
import type ScrubjayPlugin from "../../src/host/obsidian/main";
import { MarkdownRenderer } from "./markdownRenderer";

/** How stacks name the plugin's own code. */
export const BUNDLE = "main.js";

/** The files that `scrubjay plugin install` copies into a vault. */
export const PLUGIN_FILES = join(import.meta.dirname, "../../../daemon/cli/plugin_files");

export interface UrlRequest {
	url: string;
	method?: string;
	headers?: Record<string, string>;
	contentType?: string;
	body?: string;
}

/** As the app does it: without what links give a meaning to. */
export function stripHeadingForLink(heading: string): string {
	return heading
		.replace(/[:#|^\\\r\n]|%%|\[\[|\]\]/g, " ")
		.replace(/\s+/g, " ")
		.trim();
}

export type RequestUrl = (request: UrlRequest) => Promise<{ status: number; text: string }>;

/** Obsidian in memory, with the plugin as it is shipped. */
export interface Running {
	app: mocks.App;
	plugin: ScrubjayPlugin & mocks.Plugin;
	/** Modals that are open, newest last. */
	modals: mocks.Modal[];
	notices: string[];
	/** What draws Markdown, beside a plugin that runs code in notes: `live` is what it has run. */
	markdown: typeof MarkdownRenderer;
}

/** As the app renames: links to the note, in other notes and in itself, lead to where it is. */
export function renameWithLinks({ fileManager, vault }: mocks.App): void {
	const rename = fileManager.renameFile.bind(fileManager);
	fileManager.renameFile = async (file, to) => {
		const from = file.path;
		await rename(file, to);
		for (const note of vault.getMarkdownFiles())
			await vault.process(note, (words) => words.replaceAll(`[[${from.slice(0, -3)}`, `[[${to.slice(0, -3)}`));
	};
}

/** A browser that sees what a test says. */
export class Sight {
	static readonly all: Sight[] = [];
	target: Element | null = null;
	constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {
		Sight.all.push(this);
	}
	observe(target: Element): void {
		this.target = target;
	}
	disconnect(): void {
		Sight.all.splice(Sight.all.indexOf(this), 1);
	}
	see(isIntersecting: boolean): void {
		this.tell([{ isIntersecting }]);
	}
}

/** As the palette of commands does it: one that is not offered now is not run. */
export function runCommand(plugin: mocks.Plugin, id: string): void {
	const { callback, checkCallback } = plugin.commands__.get(id) ?? {};
	if (checkCallback) checkCallback(false);
	else callback?.();
}

/** Like the app's: stays open until it is closed. */
function lastingModal(open: mocks.Modal[]): typeof mocks.Modal {
	return class extends mocks.Modal {
		override open(): void {
			document.body.append(this.containerEl);
			open.push(this);
			this.onOpen();
		}
		override close(): void {
			this.containerEl.remove();
			open.splice(open.indexOf(this), 1);
			this.onClose();
		}
	};
}

/** Evaluate the shipped bundle against the in-memory API and load the plugin. language: as `getLanguage` of Obsidian tells it; opened: the app that it ran in before; version: of Obsidian. */
export async function runPlugin(
	files: Record<string, string>,
	requestUrl: RequestUrl,
	language = "en",
	opened?: mocks.App,
	version = "1.13.1",
): Promise<Running> {
	setup();
	const modals: mocks.Modal[] = [];
	const notices: string[] = [];
	class Notice extends mocks.Notice {
		constructor(message: string | DocumentFragment) {
			super(message);
			notices.push(typeof message === "string" ? message : (message.textContent ?? ""));
		}
	}
	const api = {
		...mocks,
		MarkdownRenderer,
		Modal: lastingModal(modals),
		Notice,
		requestUrl,
		stripHeadingForLink,
		requireApiVersion: (wanted: string) => version.localeCompare(wanted, "en", { numeric: true }) >= 0,
		getLanguage: () => language,
	};
	const nodeRequire = createRequire(import.meta.url);
	const module: { exports: { default?: new (app: unknown, manifest: unknown) => Running["plugin"] } } = {
		exports: {},
	};
	const code = readFileSync(join(PLUGIN_FILES, "main.js"), "utf8");
	const evaluate = compileFunction(code, ["module", "exports", "require"], { filename: BUNDLE }) as (
		...args: unknown[]
	) => void;
	evaluate(module, module.exports, (name: string) => (name === "obsidian" ? api : (nodeRequire(name) as unknown)));
	const manifest: unknown = JSON.parse(readFileSync(join(PLUGIN_FILES, "manifest.json"), "utf8"));
	const app = opened ?? mocks.App.createConfigured__({ files });
	if (!opened) renameWithLinks(app);
	MarkdownRenderer.live.length = 0;
	// In the app, each leaf has a view.
	const each = app.workspace.iterateAllLeaves.bind(app.workspace);
	app.workspace.iterateAllLeaves = (look) => each((leaf) => (leaf.view as unknown) && look(leaf));
	const Plugin = module.exports.default;
	if (!Plugin) throw new Error("The bundle exports no plugin.");
	const plugin = new Plugin(app, manifest);
	await plugin.onload();
	plugin.loaded__ = true; // so that `unload` does what it does in the app
	return { app, plugin, modals, notices, markdown: MarkdownRenderer };
}
