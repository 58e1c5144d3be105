import { parse } from "marked";

/** Code of plugins: blocks in a language of theirs, and queries in a line. Beside what is drawn here, they see nothing. */
const OF_PLUGINS = 'code[class*="language-"]';
const QUERY = /^\s*\$?=/;

/** Draws without the app's own notation, and as trusting: HTML becomes elements, and its scripts run. Links as the app has them. */
export class MarkdownRenderer {
	/** The code of plugins in all that was drawn. */
	static readonly live: string[] = [];

	static async render(_app: unknown, markdown: string, into: HTMLElement, _path?: string): Promise<void> {
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
