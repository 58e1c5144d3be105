/** Obsidian's API in memory, drawn in a real browser: what the shipped bundle gets for `require("obsidian")`. */
import { parse } from "marked";
import * as mocks from "obsidian-test-mocks/obsidian";

export * from "obsidian-test-mocks/obsidian";

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

/** Code of plugins: blocks in a language of theirs, and queries in a line. Beside what is drawn here, they see nothing. */
const OF_PLUGINS = 'code[class*="language-"]';
const QUERY = /^\s*\$?=/;

/** Draws without the app's own notation, and as trusting: HTML becomes elements, and its scripts run. Links as the app has them. */
export class MarkdownRenderer {
	/** The code of plugins in all that was drawn. */
	static readonly live: string[] = [];

	static async render(_app: unknown, markdown: string, into: HTMLElement): Promise<void> {
		const html = await parse(
			markdown.replace(/\[\[([^\]|]+)\]\]/g, '<a class="internal-link" data-href="$1" href="$1">$1</a>'),
		);
		const drawn = new DOMParser().parseFromString(html, "text/html").body;
		for (const code of drawn.querySelectorAll("code")) {
			if (code.matches(OF_PLUGINS) || QUERY.test(code.textContent)) MarkdownRenderer.live.push(code.textContent);
		}
		for (const parsed of drawn.querySelectorAll("script")) {
			const script = createEl("script", { text: parsed.textContent }); // one that was parsed would never run
			if (parsed.src) script.src = parsed.src;
			parsed.replaceWith(script);
		}
		into.append(...drawn.childNodes);
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
