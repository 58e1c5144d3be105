import { MarkdownView, type HoverParent, type HoverPopover } from "obsidian";
import type { RelatedView } from "../../panel/notes/relatedView";
import { h } from "../../panel/shared/dom";
import { say } from "../../words/say";
import type { PanelPlugin } from "./panelPlugin";
import { noteIn, type RelatedNotes } from "./relatedNotes";
import { inSpokenLanguage } from "./views";

/** Where the end of a note is in each mode: the first that there is. Obsidian tells nobody, and puts its own backlinks there. */
const ENDS = {
	source: [".markdown-source-view .cm-sizer"],
	preview: [".markdown-reading-view .mod-footer", ".markdown-reading-view .markdown-preview-sizer"],
} as const;
const BACKLINKS = ":scope > .embedded-backlinks";

/** Related notes at the end of each note that is open, where the user wants them there, as backlinks can be. */
export class RelatedBelow {
	private readonly feet = new Map<MarkdownView, Foot>();

	constructor(
		private readonly plugin: PanelPlugin,
		private readonly related: RelatedNotes,
	) {
		const { workspace } = plugin.app;
		plugin.registerEvent(workspace.on("layout-change", () => this.place()));
		plugin.registerEvent(workspace.on("file-open", () => this.place()));
		workspace.onLayoutReady(() => this.place());
		plugin.register(() => this.keep(new Set()));
	}

	/** Views, their modes or the setting may have changed. */
	place(): void {
		const views = new Set<MarkdownView>();
		if (this.plugin.settings.relatedBelow)
			this.plugin.app.workspace.iterateAllLeaves(({ view }) => {
				if (view instanceof MarkdownView && view.file) views.add(view);
			});
		this.keep(views);
		for (const view of views) {
			const foot = this.feet.get(view) ?? new Foot(this.plugin, this.related, view);
			this.feet.set(view, foot);
			foot.stand();
		}
	}

	/** Draw all of it anew, in the language that is spoken now. */
	renew(): void {
		this.keep(new Set());
		this.place();
	}

	private keep(views: ReadonlySet<MarkdownView>): void {
		for (const [view, foot] of this.feet) {
			if (views.has(view)) continue;
			foot.dispose();
			this.feet.delete(view);
		}
	}
}

/** What stands below the note of one view. Nothing is asked or drawn before it is in sight. */
class Foot implements HoverParent {
	hoverPopover: HoverPopover | null = null;
	private readonly element = h("div", { class: "sj-below" });
	private shown: RelatedView | null = null;
	private rest: (() => void) | null = null;
	private watcher: IntersectionObserver | null = null;
	private watchedIn: Document | null = null;

	constructor(
		private readonly plugin: PanelPlugin,
		private readonly related: RelatedNotes,
		private readonly view: MarkdownView,
	) {
		inSpokenLanguage(this.element);
	}

	/** At the end of the note in the mode that is on; it stays where it is there already. */
	stand(): void {
		const { containerEl } = this.view;
		const ends = ENDS[this.view.getMode()].map((end) => containerEl.querySelector(end));
		const end = ends.find((each) => each !== null);
		if (!end) return;
		const { ownerDocument } = containerEl;
		if (this.element.parentElement === end && this.watchedIn === ownerDocument) return;
		end.insertBefore(this.element, end.querySelector(BACKLINKS));
		this.watch(ownerDocument);
	}

	dispose(): void {
		this.watcher?.disconnect();
		this.rest?.();
		this.shown?.dispose();
		this.element.remove();
	}

	/** A window tells only of what is in itself. */
	private watch(own: Document): void {
		this.watchedIn = own;
		this.watcher?.disconnect();
		const { IntersectionObserver } = own.defaultView ?? window;
		this.watcher = new IntersectionObserver((entries) => this.see(entries.at(-1)?.isIntersecting ?? false));
		this.watcher.observe(this.element);
	}

	private see(isInSight: boolean): void {
		if (isInSight === (this.rest !== null)) return;
		if (!isInSight) {
			this.rest?.();
			this.rest = null;
			return;
		}
		const active = (): ReturnType<typeof noteIn> => noteIn(this.plugin, this.view);
		this.shown ??= this.related.view(this, active, say("related.title"));
		this.element.append(this.shown.element);
		this.rest = this.related.see(this.shown, active);
	}
}
