import { debounce, type CachedMetadata, type Editor, type HoverParent, type MarkdownView } from "obsidian";
import { NoteMarks } from "../../panel/notes/noteMarks";
import { RelatedAnswers } from "../../panel/notes/relatedAnswers";
import { RelatedView, type ActiveNote } from "../../panel/notes/relatedView";
import { lastFile, lastMarkdownView } from "./openNote";
import type { PanelPlugin } from "./panelPlugin";

const CURSOR_SETTLE_MS = 600;
/** The daemon has read a note that was written within about this time. */
const INDEXED_MS = 2_500;
const WRITING_PAUSE_MS = 500;
/** Of a paragraph, so much says what it is about. */
const MOST_LINES = 30;

/** The note or file in the view that was used last, and in an editor the line at which the section under the cursor begins. */
export function activeNote(plugin: PanelPlugin): ActiveNote | null {
	const file = lastFile(plugin.app);
	if (!file) return null;
	const view = lastMarkdownView(plugin.app);
	if (view?.file === file) return noteIn(plugin, view);
	return { vault: plugin.link.vaultName, path: file.path, title: file.basename };
}

/** The note in a view, and the line at which the section under the cursor begins. */
export function noteIn({ app, link }: PanelPlugin, { file, editor }: MarkdownView): ActiveNote | null {
	if (!file) return null;
	const line = sectionStart(app.metadataCache.getFileCache(file), editor.getCursor().line) + 1;
	return { vault: link.vaultName, path: file.path, title: file.basename, line };
}

/** The line of the heading that stands above a line, both from 0 on; the line itself where headings are not known. */
function sectionStart(cache: CachedMetadata | null, line: number): number {
	if (cache === null) return line;
	const above = (cache.headings ?? []).map(({ position }) => position.start.line).filter((start) => start <= line);
	return above.at(-1) ?? 0;
}

/** The lines around the cursor up to blank ones. */
function paragraphAt(editor: Editor): string {
	const { line } = editor.getCursor();
	const isText = (at: number): boolean => at >= 0 && at < editor.lineCount() && editor.getLine(at).trim() !== "";
	let [first, last] = [line, line];
	while (isText(first - 1) && line - first < MOST_LINES) first -= 1;
	while (isText(last + 1) && last - line < MOST_LINES) last += 1;
	return Array.from({ length: last - first + 1 }, (_, at) => editor.getLine(first + at)).join(" ");
}

/** The views of related notes that are looked at: what they stand beside is followed for all of them at once, and what two of them ask is asked once. */
export class RelatedNotes {
	/** What each stands beside. */
	private readonly seen = new Map<RelatedView, () => ActiveNote | null>();
	private readonly answers: RelatedAnswers;
	/** Notes that were written, and not yet read by the daemon. */
	private readonly written = new Set<string>();
	/** Notes are edited in windows of their own, too. */
	private readonly followed = new Map<Document, AbortController>();
	private readonly settle = debounce(() => this.update(), CURSOR_SETTLE_MS, true);
	private readonly renewWritten = debounce(() => this.renew((path) => this.written.has(path)), INDEXED_MS, true);
	private readonly write = debounce(
		(path: string, editor: Editor) => {
			for (const view of this.following(path)) void view.writing(paragraphAt(editor));
		},
		WRITING_PAUSE_MS,
		true,
	);

	constructor(private readonly plugin: PanelPlugin) {
		const { vault, workspace } = plugin.app;
		const { connection } = plugin.link;
		this.answers = new RelatedAnswers(() => plugin.link.client);
		const marks = new NoteMarks(plugin.hostFor({ hoverPopover: null }).storage);
		plugin.registerEvent(workspace.on("active-leaf-change", () => this.update()));
		plugin.registerEvent(workspace.on("file-open", () => this.update()));
		plugin.registerEvent(vault.on("modify", ({ path }) => this.wasWritten([path])));
		plugin.registerEvent(vault.on("delete", () => this.wasWritten(this.paths())));
		plugin.registerEvent(
			vault.on("rename", ({ path }, before) => {
				marks.moved(plugin.link.vaultName, before, path);
				this.wasWritten(this.paths());
			}),
		);
		plugin.registerEvent(
			workspace.on("editor-change", (editor, { file }) => {
				if (file && this.following(file.path).length > 0) this.write(file.path, editor);
			}),
		);
		plugin.registerEvent(workspace.on("window-open", (_, { document }) => this.seen.size && this.follow(document)));
		plugin.registerEvent(workspace.on("window-close", (_, { document }) => this.leave(document)));
		plugin.register(connection.onReturn(() => this.renew()));
		// Before it is known what the daemon calls the vault, it would be asked about another.
		plugin.register(plugin.link.listenProfiles(() => connection.current.phase !== "connecting" && this.renew()));
		plugin.register(
			connection.listen(({ phase }) => phase !== "connecting" && phase !== "online" && this.update()),
		);
		plugin.register(() => {
			for (const edited of [...this.followed.keys()]) this.leave(edited);
			for (const later of [this.settle, this.renewWritten, this.write]) later.cancel();
		});
	}

	/** A view of what is related to `active`. title: its heading; without it, the name of the note. Looked at from `see` on. */
	view(hoverParent: HoverParent, active: () => ActiveNote | null, title?: string): RelatedView {
		const { plugin } = this;
		return new RelatedView({
			client: () => plugin.link.client,
			answers: this.answers,
			host: plugin.hostFor(hoverParent),
			active,
			...(title === undefined ? {} : { title }),
			context: () => ({
				now: new Date(),
				colours: new Map(plugin.link.profiles.map(({ name, colour }) => [name, colour])),
				showProfile: plugin.link.profiles.length > 1,
			}),
		});
	}

	/** The view is looked at: it shows what is so now, and follows what it stands beside. Returns how to have it rest. */
	see(view: RelatedView, active: () => ActiveNote | null): () => void {
		if (this.seen.size === 0) {
			this.follow(window.document);
			this.plugin.app.workspace.iterateAllLeaves((leaf) => this.follow(leaf.view.containerEl.ownerDocument));
		}
		this.seen.set(view, active);
		if (this.plugin.link.connection.current.phase !== "connecting") void view.update(true);
		return () => {
			this.seen.delete(view);
			if (this.seen.size === 0) for (const edited of [...this.followed.keys()]) this.leave(edited);
		};
	}

	/** What the views stand beside may be another. */
	private update(): void {
		for (const view of this.seen.keys()) void view.update();
	}

	/** The index may have changed: what is related to these notes is asked anew. */
	private renew(isOne: (path: string) => boolean = () => true): void {
		this.answers.forget();
		for (const [view, active] of this.seen) if (isOne(active()?.path ?? "")) void view.update(true);
		this.written.clear();
	}

	private wasWritten(paths: readonly string[]): void {
		this.answers.forget();
		if (this.seen.size === 0) return;
		for (const path of paths) this.written.add(path);
		this.renewWritten();
	}

	private paths(): string[] {
		return [...this.seen.values()].map((active) => active()?.path ?? "");
	}

	private following(path: string): RelatedView[] {
		const beside = [...this.seen].filter(([view, active]) => view.followsSection && active()?.path === path);
		return beside.map(([view]) => view);
	}

	private follow(edited: Document): void {
		if (this.followed.has(edited)) return;
		const listening = new AbortController();
		this.followed.set(edited, listening);
		const moved = (): void => {
			if ([...this.seen.keys()].some((view) => view.followsSection)) this.settle();
		};
		edited.addEventListener("selectionchange", moved, { signal: listening.signal });
	}

	private leave(edited: Document): void {
		this.followed.get(edited)?.abort();
		this.followed.delete(edited);
	}
}
