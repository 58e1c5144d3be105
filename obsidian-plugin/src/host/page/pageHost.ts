import { obsidianUri, type Host, type OpenIn, type Place, type Storage } from "../../panel/host";
import { h } from "../../panel/shared/dom";
import { nameOf } from "../../panel/shared/format";
import { button, type NoticeAction } from "../../panel/shared/notice";

const STORAGE_PREFIX = "scrubjay:";
const TOAST_MS = 2_600;
const ACTION_MS = 10_000;

/** The browser as the panel's host: notes open in Obsidian by its own scheme, and are read beside the results. */
export class PageHost implements Host {
	readonly isMac: boolean;
	chooseVault?: () => void;
	readonly storage: Storage = new BrowserStorage();

	constructor(
		private readonly toasts: HTMLElement,
		private readonly browser: Navigator,
	) {
		this.isMac = /mac|iphone|ipad/i.test(browser.userAgent);
	}

	open(place: Place, where: OpenIn): void {
		const uri = obsidianUri(place);
		window.open(where === "here" ? uri : `${uri}&paneType=${where}`, "_self");
	}

	linkTo(place: Place): string {
		return `[${(place.title || nameOf(place.path)).replace(/[[\]]/g, "")}](${obsidianUri(place)})`;
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
