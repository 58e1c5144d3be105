import type { Host, Mention, Place } from "../../src/panel/host";

/** A host that only writes down what the panel asked of it. */
export class RecordingHost implements Host {
	readonly isMac = false;
	/** As where the daemon serves the panel; tests of a plugin give it one. */
	version?: string;
	readonly opened: [title: string, where: string][] = [];
	readonly lines: (number | undefined)[] = [];
	readonly linked: string[] = [];
	readonly created: string[] = [];
	readonly copied: string[] = [];
	readonly said: string[] = [];
	private readonly values = new Map<string, unknown>();
	readonly storage = {
		read: (key: string): unknown => this.values.get(key),
		write: (key: string, value: unknown): void => void this.values.set(key, value),
	};
	open = (place: Place, where: string): void => {
		this.opened.push([place.title, where]);
		this.lines.push(place.line);
	};
	/** Set by tests of a note that names others: what it says, by their titles. */
	readonly mentions = new Map<string, Mention>();
	mentionIn = (_path: string, of: Place): Promise<Mention | null> =>
		Promise.resolve(this.mentions.get(of.title) ?? null);
	linkMention = (path: string, of: Place, { line, written }: Mention): Promise<boolean> => {
		const isThere = this.mentions.delete(of.title);
		if (isThere) this.linked.push(`${path}:${line} ${written}`);
		return Promise.resolve(isThere);
	};
	linkTo = (place: Place): string => `[[${place.title}]]`;
	insertLink = (place: Place): void => void this.linked.push(place.title);
	createNote = (title: string): void => void this.created.push(title);
	/** What could be done about what was said last. */
	offered: { label: string; act: () => void } | undefined;
	notify = (message: string, action?: { label: string; act: () => void }): void => {
		this.said.push(message);
		this.offered = action;
	};
	copy = (text: string): Promise<void> => {
		this.copied.push(text);
		return Promise.resolve();
	};
}
