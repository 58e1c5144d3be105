import type { Host, Place } from "../../src/panel/host";

/** A host that only writes down what the panel asked of it. */
export class RecordingHost implements Host {
	readonly isMac = false;
	readonly opened: [title: string, where: string][] = [];
	readonly lines: (number | undefined)[] = [];
	readonly linked: string[] = [];
	readonly created: string[] = [];
	readonly copied: string[] = [];
	readonly said: string[] = [];
	private readonly values = new Map<string, unknown>();
	readonly storage = { read: (key: string): unknown => this.values.get(key), write: (key: string, value: unknown): void => void this.values.set(key, value) };
	/** Set by tests of a host that shows the selected note. */
	selected?: (place: Place | null) => void;
	open = (place: Place, where: string): void => {
		this.opened.push([place.title, where]);
		this.lines.push(place.line);
	};
	linkTo = (place: Place): string => `[[${place.title}]]`;
	insertLink = (place: Place): void => void this.linked.push(place.title);
	createNote = (title: string): void => void this.created.push(title);
	notify = (message: string): void => void this.said.push(message);
	copy = (text: string): Promise<void> => {
		this.copied.push(text);
		return Promise.resolve();
	};
}
