import {
	debounce,
	MarkdownRenderChild,
	type HoverParent,
	type HoverPopover,
	type MarkdownPostProcessorContext,
} from "obsidian";
import type { SearchResponse } from "../../api/wire";
import { QueryBlock } from "../../panel/block/queryBlock";
import type { ConnectionState } from "../../panel/status/connection";
import { freezeBlock } from "./frozenBlock";
import type { PanelPlugin } from "./panelPlugin";
import { inSpokenLanguage } from "./views";

const LANGUAGE = "scrubjay";
/** The daemon reads a note that was written within about this time. */
const INDEXED_MS = 2_000;
/** Of so many blocks the last answer is kept, the newest ones. */
const MOST_KEPT = 100;

/** Show what ```scrubjay blocks ask for, in reading view and in live preview. What exports a note waits for the answer. */
export function registerQueryBlocks(plugin: PanelPlugin): void {
	const blocks = new Blocks(plugin);
	plugin.registerMarkdownCodeBlockProcessor(LANGUAGE, (source, element, context) => {
		const block = new LiveBlock(blocks, element, source, context);
		context.addChild(block);
		return block.begin();
	});
}

/** All blocks that are drawn. Each change of the vault reaches them once, and what is drawn again shows what it showed. */
class Blocks {
	readonly drawn = new Set<QueryBlock>();
	private readonly answers = new Map<string, SearchResponse>();
	/** Blocks of whose answer nothing is known that could have changed it. */
	private readonly current = new Set<string>();

	constructor(readonly plugin: PanelPlugin) {
		const { vault, workspace } = plugin.app;
		const written = debounce(() => this.renew(), INDEXED_MS, true);
		plugin.registerEvent(vault.on("modify", () => void written()));
		plugin.registerEvent(vault.on("create", () => void written()));
		plugin.registerEvent(vault.on("delete", () => void written()));
		plugin.registerEvent(vault.on("rename", () => void written()));
		plugin.registerEvent(workspace.on("layout-change", () => this.look()));
		plugin.registerEvent(workspace.on("active-leaf-change", () => this.look()));
		plugin.register(() => void written.cancel());
		plugin.register(plugin.link.connection.onReturn(() => this.renew()));
		plugin.register(whenIndexChanges(plugin, () => this.renew()));
	}

	known(key: string): SearchResponse | undefined {
		return this.answers.get(key);
	}

	isCurrent(key: string): boolean {
		return this.current.has(key);
	}

	keep(key: string, answer: SearchResponse): void {
		this.answers.delete(key);
		this.answers.set(key, answer);
		this.current.add(key);
		const [oldest] = this.answers.keys();
		if (this.answers.size <= MOST_KEPT || oldest === undefined) return;
		this.answers.delete(oldest);
		this.current.delete(oldest);
	}

	private renew(): void {
		this.current.clear();
		for (const block of this.drawn) block.refresh();
	}

	private look(): void {
		for (const block of this.drawn) block.look();
	}
}

/** A block as long as it is drawn. */
class LiveBlock extends MarkdownRenderChild implements HoverParent {
	hoverPopover: HoverPopover | null = null;
	private readonly block: QueryBlock;
	private readonly key: string;
	private isInSight = false;

	constructor(
		private readonly blocks: Blocks,
		element: HTMLElement,
		source: string,
		context: MarkdownPostProcessorContext,
	) {
		super(element);
		const path = context.sourcePath;
		this.key = `${path}\n${source}`;
		const { plugin } = blocks;
		const host = plugin.hostFor(this);
		this.block = new QueryBlock(source, {
			client: () => plugin.link.client,
			host,
			freeze: (links) => {
				const { lineStart = -1, lineEnd = -1 } = context.getSectionInfo(element) ?? {};
				void freezeBlock(plugin.app, host, path, { source, lineStart, lineEnd }, links);
			},
			path,
			search: (query) => plugin.openSearch(query),
			isInSight: () => this.isInSight,
			known: blocks.known(this.key),
			onAnswer: (answer) => blocks.keep(this.key, answer),
		});
		inSpokenLanguage(element);
		element.append(this.block.element);
	}

	/** Ask, where what is known may have changed. Resolves once the answer is drawn; never rejects. */
	begin(): Promise<void> {
		return this.blocks.isCurrent(this.key) ? Promise.resolve() : this.block.ask();
	}

	override onload(): void {
		const { block, blocks } = this;
		blocks.drawn.add(block);
		this.register(() => {
			blocks.drawn.delete(block);
			block.dispose();
		});
		// It is not yet in the document, which may be that of a window of its own.
		const timer = window.setTimeout(() => this.watch());
		this.register(() => window.clearTimeout(timer));
	}

	private watch(): void {
		const { IntersectionObserver } = this.containerEl.ownerDocument.defaultView ?? window;
		const observer = new IntersectionObserver((entries) => {
			this.isInSight = entries.at(-1)?.isIntersecting ?? false;
			if (this.isInSight) this.block.look();
		});
		observer.observe(this.containerEl);
		this.register(() => observer.disconnect());
	}
}
/** Call `act` when the daemon's status tells of other notes than before. Returns how to stop. */
function whenIndexChanges(plugin: PanelPlugin, act: () => void): () => void {
	let known = contents(plugin.link.connection.current);
	return plugin.link.connection.listen((state) => {
		const now = contents(state);
		if (now !== null && known !== null && now !== known) act();
		known = now ?? known;
	});
}

function contents({ status }: ConnectionState): string | null {
	return (
		status &&
		JSON.stringify(
			status.profiles.map(({ id, state, notes, chunks, pending_embeddings, bytes_on_disk }) => [
				id,
				state === "locked",
				notes,
				chunks,
				pending_embeddings,
				bytes_on_disk,
			]),
		)
	);
}
