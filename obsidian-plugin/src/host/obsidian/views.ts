import {
	ItemView,
	Scope,
	type HoverParent,
	type HoverPopover,
	type ViewStateResult,
	type WorkspaceLeaf,
} from "obsidian";
import { language } from "../../words/say";

export const SEARCH_VIEW = "scrubjay-search";
export const RELATED_VIEW = "scrubjay-related";
export const CREDENTIALS_VIEW = "scrubjay-credentials";
export const REVIEW_VIEW = "scrubjay-review";
export const STATUS_VIEW = "scrubjay-status";

/** The name by which Obsidian knows the icon of Scrubjay. */
export const JAY_ICON = "scrubjay";

export const PANE_TYPES = [SEARCH_VIEW, RELATED_VIEW, CREDENTIALS_VIEW, REVIEW_VIEW, STATUS_VIEW];

/** What fills a pane. */
export interface PaneContent {
	element: HTMLElement;
	/** The pane got the focus. */
	focus?: () => void;
	/** The pane is closed: no timer, request or listener of it may stay. */
	dispose: () => void;
	/** A key was pressed in the pane. Says whether the pane used it; then Obsidian's own hotkeys on it give way. */
	pressed?: (event: KeyboardEvent) => boolean;
	/** What is kept with the workspace: a plain object. */
	state?: { get: () => Record<string, unknown>; set: (saved: unknown) => void };
}

export interface PaneKind {
	type: string;
	/** In the language that is spoken. */
	title: () => string;
	icon: string;
	make: (view: PanelPane) => PaneContent;
}

/** Its words are in the language that is spoken, also where Obsidian's own are in another, or run from the right. */
export function inSpokenLanguage(element: HTMLElement): void {
	element.lang = language();
	element.dir = "ltr";
}

/** A pane of Obsidian's around one of the panel's views. */
export class PanelPane extends ItemView implements HoverParent {
	hoverPopover: HoverPopover | null = null;
	private content: PaneContent | null = null;

	constructor(
		leaf: WorkspaceLeaf,
		private readonly kind: PaneKind,
	) {
		super(leaf);
		this.icon = kind.icon;
		this.navigation = false;
		this.scope = new Scope(this.app.scope);
		this.scope.register(null, null, (event) => (this.content?.pressed?.(event) ? false : undefined));
	}

	override getState(): Record<string, unknown> {
		return { ...super.getState(), ...this.content?.state?.get() };
	}

	override async setState(state: unknown, result: ViewStateResult): Promise<void> {
		await super.setState(state, result);
		this.content?.state?.set(state);
	}

	override getViewType(): string {
		return this.kind.type;
	}

	override getDisplayText(): string {
		return this.kind.title();
	}

	override onOpen(): Promise<void> {
		this.contentEl.empty();
		this.contentEl.addClass("sj-host-pane");
		inSpokenLanguage(this.contentEl);
		this.content = this.kind.make(this);
		this.contentEl.append(this.content.element);
		return Promise.resolve();
	}

	override onClose(): Promise<void> {
		this.content?.dispose();
		this.content = null;
		return Promise.resolve();
	}

	focus(): void {
		this.content?.focus?.();
	}

	/** Make what is shown anew, in the language that is spoken now. */
	async renew(): Promise<void> {
		const saved = this.content?.state?.get();
		await this.onClose();
		await this.onOpen();
		if (saved) this.content?.state?.set(saved);
	}
}
