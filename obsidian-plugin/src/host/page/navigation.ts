import type { SearchAddress } from "../../panel/search/scopeBar";
import { addressOf, readAddress, type PageAddress } from "./address";

/** Letters that follow one another within this time are one step, not one each. */
const TYPING_MS = 1_000;
const NAME = "Scrubjay";

export interface NavigationOptions {
	window: Window;
	/** What the page shows now. */
	current: () => PageAddress;
	/** What the screen is called. */
	titleOf: (screen: string) => string;
	/** Show what an address names. */
	show: (address: PageAddress) => void;
	now?: () => number;
}

/** Keeps the browser's address, title and history in step with what the page shows, and the page with them. */
export class Navigation {
	private last: { query: string; at: number } | null = null;

	constructor(private readonly options: NavigationOptions) {
		options.window.addEventListener("popstate", () => this.open());
	}

	/** Show what the address says. */
	open(): void {
		const { window, show, current } = this.options;
		this.last = null;
		show(readAddress(window.location.hash));
		const { screen, search } = current();
		window.history.replaceState(null, "", addressOf(screen, search));
		this.name();
	}

	/** The page shows something else than before. */
	moved(): void {
		const { window, current, now = () => Date.now() } = this.options;
		const { screen, search } = current();
		const address = addressOf(screen, search);
		if (address === window.location.hash) return;
		const at = now();
		const isTyping = this.isTyping(search, at);
		// What is typed as soon as a screen is there is a step of its own: back leads to the screen as it was come to.
		this.last = readAddress(window.location.hash).screen === screen ? { query: search.query, at } : null;
		if (isTyping) window.history.replaceState(null, "", address);
		else window.history.pushState(null, "", address);
		this.name();
	}

	private isTyping({ query }: SearchAddress, at: number): boolean {
		const { last } = this;
		if (last === null || at - last.at > TYPING_MS || query === last.query) return false;
		return query.startsWith(last.query) || last.query.startsWith(query);
	}

	/** Never by the query: the browser, the window list and whoever shares the screen show a title. */
	private name(): void {
		const { window, current, titleOf } = this.options;
		window.document.title = `${titleOf(current().screen)} – ${NAME}`;
	}
}
