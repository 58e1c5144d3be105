import { BasesView, requireApiVersion, type HoverParent, type HoverPopover, type QueryController } from "obsidian";
import { allResults } from "../../panel/acting/resultLinks";
import { drawNotes } from "../../panel/block/blockViews";
import { placeOf } from "../../panel/host";
import { fill, muted } from "../../panel/shared/dom";
import { Newest } from "../../panel/shared/newest";
import { trouble } from "../../panel/shared/trouble";
import { say } from "../../words/say";
import type { PanelPlugin } from "./panelPlugin";
import { JAY_ICON } from "./views";

const QUERY = "query";

/** A view of a base, where Obsidian has them: its notes that a search finds, in the order of the search. */
export function registerBase(plugin: PanelPlugin): void {
	if (requireApiVersion("1.10.0")) {
		// An older Obsidian has no such class to be derived from.
		class SearchBase extends BasesView implements HoverParent {
			readonly type = "scrubjay";
			hoverPopover: HoverPopover | null = null;
			private readonly newest = new Newest();
			private readonly host = plugin.hostFor(this);

			constructor(
				controller: QueryController,
				private readonly container: HTMLElement,
			) {
				super(controller);
				container.addClass("sj-block");
			}

			override onDataUpdated(): void {
				const asked = this.config.get(QUERY);
				const query = typeof asked === "string" ? asked.trim() : "";
				const isNewest = this.newest.begin();
				if (query === "") fill(this.container, muted(say("base.noQuery")));
				else void this.drawn(query).then((drawn) => isNewest() && fill(this.container, drawn));
			}

			private async drawn(query: string): Promise<HTMLElement> {
				const paths = new Set(this.data.data.map(({ file }) => file.path));
				try {
					const found = await allResults(plugin.link.client, { query });
					const here = found.filter((result) => paths.has(result.path) && this.host.isHere(placeOf(result)));
					return drawNotes("cards", here, this.host, new Date()) ?? muted(say("block.none"));
				} catch (error) {
					return muted(trouble(error));
				}
			}
		}
		plugin.registerBasesView("scrubjay", {
			name: "Scrubjay",
			icon: JAY_ICON,
			factory: (controller, container) => new SearchBase(controller, container),
			options: () => [{ type: "text", key: QUERY, displayName: say("base.query") }],
		});
	}
}
