import type { Place } from "../host";
import { GraphView, type GraphViewOptions } from "./graphView";

/** The picture of links in the place of the results that it was opened from. */
export class GraphOverlay {
	private readonly graph: GraphView;

	/** panel: what holds the results and the picture. onLeave: the results are back. */
	constructor(
		private readonly panel: HTMLElement,
		options: Omit<GraphViewOptions, "onClose">,
		private readonly onLeave: () => void,
	) {
		this.graph = new GraphView({ ...options, onClose: () => this.leave() });
		this.graph.element.hidden = true;
	}

	get element(): HTMLElement {
		return this.graph.element;
	}

	/** Show what is linked with the note; of nothing there is no picture. */
	show(place: Place | null): void {
		if (place === null) return;
		this.toggle(true);
		void this.graph.show(place);
	}

	/** Say whether there was a picture to leave. */
	leave(): boolean {
		if (this.element.hidden) return false;
		this.graph.forget();
		this.toggle(false);
		this.onLeave();
		return true;
	}

	private toggle(isShown: boolean): void {
		this.element.hidden = !isShown;
		this.panel.classList.toggle("shows-graph", isShown);
	}
}
