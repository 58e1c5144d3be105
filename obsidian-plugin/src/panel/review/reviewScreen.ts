import { say } from "../../words/say";
import { h } from "../shared/dom";
import { icon } from "../shared/icons";
import { ReviewView, type ReviewViewOptions } from "./reviewView";
import { MapView } from "./mapView";

/** The decisions that tidy the notes, or in their place the map of the notes' links. */
export class ReviewScreen {
	readonly element = h("div", { class: "sj-review-screen" });
	private readonly mapButton = h(
		"button",
		{ class: "sj-button", attrs: { "data-focus": "map" }, on: { click: () => this.showMap(true) } },
		icon("graph"),
		say("map.show"),
	);
	private readonly review: ReviewView;
	private readonly map: MapView;

	constructor(options: Omit<ReviewViewOptions, "mapButton">) {
		this.review = new ReviewView({ ...options, mapButton: this.mapButton });
		this.map = new MapView({ client: options.client, host: options.host, onClose: () => this.showMap(false) });
		this.map.element.hidden = true;
		this.element.append(this.review.element, this.map.element);
	}

	/** Ask anew for what is shown. Never rejects. */
	load(): Promise<void> {
		return this.map.element.hidden ? this.review.load() : this.map.load();
	}

	/** As `load`; where decisions are shown, the first takes the keys. Never rejects. */
	enter(): Promise<void> {
		return this.map.element.hidden ? this.review.enter() : this.map.load();
	}

	private showMap(isShown: boolean): void {
		this.map.element.hidden = !isShown;
		this.review.element.hidden = isShown;
		void this.load();
		if (!isShown) this.mapButton.focus();
	}
}
