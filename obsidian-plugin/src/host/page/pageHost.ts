import { markdownLink, obsidianUri, type Host, type OpenIn, type Place, type Storage } from "../../panel/host";
import { h } from "../../panel/shared/dom";
import { nameOf } from "../../panel/shared/format";
import { say } from "../../words/say";
import { button, type NoticeAction } from "../../panel/shared/notice";

const STORAGE_PREFIX = "scrubjay:";
const TOAST_MS = 2_600;
const ACTION_MS = 10_000;
/** Obsidian that is there has come forward after this time, or the browser asks whether it may. */
const ANSWER_MS = 1_500;

/** The browser as the panel's host: notes open in Obsidian by its own scheme, and are read beside the results. */
export class PageHost implements Host {
	readonly isMac: boolean;
	chooseVault?: () => void;
	/** Goes to the page's own reader. */
	read?: () => void;
	readonly storage: Storage = new BrowserStorage();

	constructor(
		private readonly toasts: HTMLElement,
		private readonly browser: Navigator,
	) {
		this.isMac = /mac|iphone|ipad/i.test(browser.userAgent);
	}

	/** Obsidian comes before the page then; where the page stays in front, it says what was tried. */
	open(place: Place, where: OpenIn): void {
		const uri = obsidianUri(place);
		const read = this.read && { label: say("page.readHere"), act: this.read };
		if (uri === "") return this.notify(say("page.isElsewhere", { vault: place.vault }), read);
		const tried = new AbortController();
		window.addEventListener("blur", () => tried.abort(), { once: true, signal: tried.signal });
		window.setTimeout(() => {
			if (tried.signal.aborted) return;
			tried.abort();
			this.notify(say("page.notOpened", { title: place.title || nameOf(place.path) }), read);
		}, ANSWER_MS);
		window.open(where === "here" ? uri : `${uri}&paneType=${where}`, "_self");
	}

	linkTo(place: Place): string {
		return markdownLink(place, place.title || nameOf(place.path));
	}

	notify(message: string, action?: NoticeAction): void {
		const act = (): void => {
			toast.remove();
			action?.act();
		};
		const toast = h(
			"div",
			{ class: "page-toast" },
			h("span", { text: message }),
			action && button({ label: action.label, act }, "page-toast-button"),
		);
		this.toasts.append(toast);
		window.setTimeout(() => toast.remove(), action ? ACTION_MS : TOAST_MS);
	}

	copy(text: string): Promise<void> {
		return this.browser.clipboard.writeText(text);
	}
}

/** Values of this browser. One that cannot be kept (private window, full) is simply not kept. */
class BrowserStorage implements Storage {
	read(key: string): unknown {
		try {
			return JSON.parse(window.localStorage.getItem(STORAGE_PREFIX + key) ?? "null");
		} catch {
			return null;
		}
	}

	write(key: string, value: unknown): void {
		try {
			window.localStorage.setItem(STORAGE_PREFIX + key, JSON.stringify(value));
		} catch {
			return;
		}
	}
}
