/** Obsidian's API in memory, drawn in a real browser: what the shipped bundle gets for `require("obsidian")`. */
import * as mocks from "obsidian-test-mocks/obsidian";

export * from "obsidian-test-mocks/obsidian";
export { MarkdownRenderer } from "../../../tests/helpers/markdownRenderer";

interface Bridge {
	/** HTTP from outside the page, as Obsidian's own `requestUrl` does it: no origin, no CORS. */
	bridgeRequest: (request: unknown) => Promise<{ status: number; text: string }>;
}

/** Like the app's: stays open until it is closed, and closes with Escape. */
export class Modal extends mocks.Modal {
	override open(): void {
		this.containerEl.className = "modal-container";
		this.modalEl.className = "modal";
		this.contentEl.className = "modal-content";
		this.titleEl.className = "modal-title";
		this.modalEl.setAttribute("role", "dialog");
		this.modalEl.setAttribute("aria-label", "Dialog");
		document.body.append(this.containerEl);
		this.onOpen();
	}
	override close(): void {
		this.containerEl.remove();
		this.onClose();
	}
}

export class Notice extends mocks.Notice {
	constructor(message: string | DocumentFragment) {
		super(message);
		const notice = createDiv({ cls: "notice", attr: { role: "status" } });
		notice.append(message);
		document.body.append(notice);
	}
}

export function requestUrl(request: unknown): Promise<{ status: number; text: string }> {
	return (window as unknown as Bridge).bridgeRequest(request);
}

export function requireApiVersion(): boolean {
	return true;
}

/** As the app does it: without what links give a meaning to. */
export function stripHeadingForLink(heading: string): string {
	return heading
		.replace(/[:#|^\\\r\n]|%%|\[\[|\]\]/g, " ")
		.replace(/\s+/g, " ")
		.trim();
}
