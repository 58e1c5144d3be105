/** A workspace around the shipped bundle: enough of Obsidian's frame to use and to look at the plugin in Chromium. */
import { MarkdownRenderer } from "./api";
import { App, FileSystemAdapter, MarkdownView, type Plugin } from "obsidian-test-mocks/obsidian";
import { setup } from "obsidian-test-mocks/setup";
import type ScrubjayPlugin from "../../../src/host/obsidian/main";

export interface VaultOnDisk {
	name: string;
	folder: string;
	files: Record<string, string>;
}

export interface Frame {
	/** Load the plugin in a vault of this name and folder, beside the daemon that lives in `home`. */
	start: (vault: VaultOnDisk, home: string) => Promise<void>;
	command: (id: string) => void;
	/** Show a pane in the right sidebar. */
	showPane: (type: string) => Promise<void>;
	/** Open a note in the editor, the cursor in a line (0-based). */
	edit: (path: string, line: number) => Promise<void>;
	/** Switch the plugin off and on, as Obsidian does: its panes close, it unloads, and is made anew. */
	reload: () => Promise<void>;
	/** Type at the cursor. */
	type: (text: string) => void;
	/** Related notes below the note that is edited. */
	below: (isOn: boolean) => void;
	/** Show a note as the reading view does, as far as ```scrubjay blocks go. */
	read: (path: string) => Promise<void>;
	/** Make or change a note of the vault, as the app tells of it; the disk is left as it is. */
	write: (path: string, text: string) => Promise<void>;
	/** What a note of the vault holds now. */
	contents: (path: string) => Promise<string>;
	/** Draw a passage: as one of the note Own.md of the open vault, as one of another vault, or by Obsidian's renderer, whoever's it is. */
	draw: (text: string, as: "own" | "foreign" | "renderer") => Promise<void>;
	/** Code of plugins that Obsidian's renderer has drawn. */
	live: string[];
	/** What the editor holds. */
	text: () => string;
	/** What was opened: path and, for a place in it, the ephemeral state. */
	opened: [path: string, state: unknown][];
	/** Links that Obsidian was asked to preview. */
	hovered: string[];
}

const opened: Frame["opened"] = [];
const hovered: Frame["hovered"] = [];
let editing: MarkdownView | undefined;
let plugin: (ScrubjayPlugin & Plugin) | undefined;
let pane: { onOpen(): Promise<void>; onClose(): Promise<void>; unload(): void; containerEl: HTMLElement } | undefined;

async function start({ name, folder, files }: VaultOnDisk, home: string): Promise<void> {
	const app = App.createConfigured__({ files, adapter: FileSystemAdapter.create__(folder).asOriginalType__() });
	app.vault.getName = () => name;
	app.saveLocalStorage("scrubjay-root", home);
	const leaf = app.workspace.getLeaf(false);
	leaf.openFile = (file, state): Promise<void> => {
		opened.push([file.path, state?.eState]);
		return Promise.resolve();
	};
	app.workspace.getLeaf = (): typeof leaf => leaf;
	app.workspace.on("hover-link", (link) => void hovered.push((link as { linktext: string }).linktext));
	plugin = await load(app);
	app.workspace.setLayoutReady__();
	const bar = createDiv({ cls: "status-bar", attr: { role: "contentinfo" } });
	for (const item of plugin.statusBarItems__) {
		item.addClass("status-bar-item");
		bar.append(item);
	}
	const editor = createEl("main");
	editor.append(createEl("h1", { text: name }));
	document.body.append(
		editor,
		createDiv({ cls: "workspace-split mod-right-split", attr: { role: "complementary", "aria-label": "Sidebar" } }),
		bar,
	);
}

async function load(app: App): Promise<ScrubjayPlugin & Plugin> {
	const { default: Shipped } = (await import("shipped-plugin")) as unknown as {
		default: { default: new (app: App, manifest: unknown) => ScrubjayPlugin & Plugin };
	};
	const made = new Shipped.default(app, { id: "scrubjay", name: "Scrubjay", version: "0.1.0" });
	await made.onload();
	made.loaded__ = true; // so that `unload` does what it does in the app
	return made;
}

async function reload(): Promise<void> {
	if (!plugin) throw new Error("The plugin is not loaded.");
	await pane?.onClose();
	pane?.unload();
	pane?.containerEl.remove();
	pane = undefined;
	const app = App.fromOriginalType__(plugin.app);
	plugin.unload();
	plugin = await load(app);
}

async function edit(path: string, line: number): Promise<void> {
	if (!plugin) throw new Error("The plugin is not loaded.");
	const app = App.fromOriginalType__(plugin.app);
	const file = app.vault.getFileByPath(path);
	if (!file) throw new Error(`There is no note ${path}.`);
	const leaf = app.workspace.getLeaf(false);
	editing = MarkdownView.create2__(leaf);
	editing.file = file;
	editing.setViewData(await app.vault.read(file), true);
	keepLines(editing.editor);
	editing.editor.setCursor({ line, ch: 0 });
	leaf.view = editing.asOriginalType7__();
	const editor = editing.containerEl.createDiv({ cls: "markdown-source-view" });
	const sizer = editor.createDiv({ cls: "cm-scroller" }).createDiv({ cls: "cm-sizer" });
	sizer.append(createDiv({ cls: "note", text: editing.getViewData() }), createDiv({ cls: "embedded-backlinks" }));
	document.querySelector("main")?.replaceChildren(createEl("h1", { text: file.basename }), editing.containerEl);
	app.workspace.trigger("layout-change");
	app.workspace.trigger("file-open", file);
}

/** The app's editor has its lines at hand; that of the mocks would take the whole text apart for each. */
function keepLines(editor: MarkdownView["editor"]): void {
	let kept = { of: "", lines: [""] };
	const lines = (): string[] => {
		const text = editor.getValue();
		if (kept.of !== text) kept = { of: text, lines: text.split("\n") };
		return kept.lines;
	};
	Object.assign(editor, { getLine: (at: number) => lines()[at] ?? "", lineCount: () => lines().length });
}

function type(text: string): void {
	if (!plugin || !editing) throw new Error("Nothing is being edited.");
	editing.editor.replaceSelection(text);
	plugin.app.workspace.trigger("editor-change", editing.editor, editing);
}

async function read(path: string): Promise<void> {
	if (!plugin) throw new Error("The plugin is not loaded.");
	const blocks = [...(await contents(path)).matchAll(/^```scrubjay\n([\s\S]*?)\n```$/gm)].map(
		([, source = ""]) => source,
	);
	const elements = blocks.map((source) => {
		const element = createDiv({ cls: "block-language-scrubjay" });
		const addChild = (child: { load(): void }): void => child.load();
		plugin?.markdownCodeBlockProcessors__.get("scrubjay")?.(source, element, {
			sourcePath: path,
			addChild,
		} as never);
		return element;
	});
	document.querySelector("main")?.replaceChildren(createEl("h1", { text: path }), ...elements);
}

async function write(path: string, text: string): Promise<void> {
	const vault = plugin?.app.vault;
	const file = vault?.getFileByPath(path);
	if (file) await vault?.modify(file, text);
	else await vault?.create(path, text);
}

async function contents(path: string): Promise<string> {
	const vault = plugin?.app.vault;
	const file = vault?.getFileByPath(path);
	if (!vault || !file) throw new Error(`There is no note ${path}.`);
	return vault.read(file);
}

async function draw(text: string, as: "own" | "foreign" | "renderer"): Promise<void> {
	const into = document.body.createDiv();
	if (as === "renderer") return MarkdownRenderer.render(null, text, into);
	const place = {
		vault: as === "own" ? (plugin?.app.vault.getName() ?? "") : "Elsewhere",
		path: "Own.md",
		title: "Own",
	};
	await plugin?.hostFor({ hoverPopover: null }).markdown(place).draw(text, into);
}

async function showPane(type: string): Promise<void> {
	const make = plugin?.views__.get(type);
	const sidebar = document.querySelector(".mod-right-split");
	if (!plugin || !make || !sidebar) throw new Error(`There is no pane ${type}.`);
	const { App: Mock, WorkspaceLeaf } = await import("obsidian-test-mocks/obsidian");
	const view = make(WorkspaceLeaf.create2__(Mock.fromOriginalType__(plugin.app)).asOriginalType3__());
	const content = view.containerEl.firstElementChild;
	content?.addClass("view-content");
	view.containerEl.addClass("workspace-leaf-content");
	sidebar.replaceChildren(view.containerEl);
	pane = view as unknown as typeof pane & object;
	await pane.onOpen();
}

const frame: Frame = {
	start,
	showPane,
	edit,
	reload,
	type,
	below: (relatedBelow) => plugin?.changeSettings({ relatedBelow }),
	read,
	write,
	contents,
	draw,
	live: MarkdownRenderer.live,
	text: () => editing?.editor.getValue() ?? "",
	opened,
	hovered,
	command: (id) => {
		const { callback, checkCallback } = plugin?.commands__.get(id) ?? {};
		if (checkCallback) checkCallback(false);
		else callback?.();
	},
};

setup();
Object.assign(window, { frame, process: { env: {} } });
