import { MarkdownRenderChild, type HoverParent, type HoverPopover } from "obsidian";
import { QueryBlock } from "../../panel/block/queryBlock";
import type { ConnectionState } from "../../panel/status/connection";
import type { PanelPlugin } from "./panelPlugin";

const LANGUAGE = "scrubjay";
/** The daemon reads a note that was written within about this time. */
const INDEXED_MS = 2_000;

/** Show what ```scrubjay blocks ask for, in reading view and in live preview. */
export function registerQueryBlocks(plugin: PanelPlugin): void {
	plugin.registerMarkdownCodeBlockProcessor(LANGUAGE, (source, element, context) =>
		context.addChild(new LiveBlock(plugin, element, source, context.sourcePath)),
	);
}

/** A block as long as it is drawn. */
class LiveBlock extends MarkdownRenderChild implements HoverParent {
	hoverPopover: HoverPopover | null = null;

	constructor(
		private readonly plugin: PanelPlugin,
		element: HTMLElement,
		private readonly source: string,
		private readonly path: string,
	) {
		super(element);
	}

	override onload(): void {
		const { plugin } = this;
		const { vault, workspace } = plugin.app;
		const block = new QueryBlock(this.source, {
			client: () => plugin.link.client,
			host: plugin.hostFor(this),
			path: this.path,
			search: (query) => plugin.openSearch(query),
		});
		this.containerEl.append(block.element);
		this.register(() => block.dispose());
		this.register(plugin.link.connection.onReturn(() => block.refresh()));
		this.register(whenIndexChanges(plugin, () => block.refresh()));
		const written = (): void => void window.setTimeout(() => block.refresh(), INDEXED_MS);
		this.registerEvent(vault.on("modify", written));
		this.registerEvent(vault.on("create", written));
		this.registerEvent(vault.on("delete", written));
		this.registerEvent(vault.on("rename", written));
		this.registerEvent(workspace.on("layout-change", () => block.look()));
		this.registerEvent(workspace.on("active-leaf-change", () => block.look()));
		// It is not yet in the document.
		window.setTimeout(() => block.refresh());
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
