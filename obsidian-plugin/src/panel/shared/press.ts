/**
 * A mouse button that is held down in an element.
 *
 * The browser makes a press and its release a click only where both meet the same element in the same place: what is drawn
 * anew or moves in between takes the click away. So drawing waits for the release.
 */
export class Press {
	private isHeld = false;
	private readonly waiting: (() => void)[] = [];

	constructor(element: HTMLElement) {
		element.addEventListener("mousedown", () => this.begin(element.ownerDocument));
	}

	/** Act now, or, where a button is held, once it was released and clicked. */
	after(act: () => void): void {
		if (this.isHeld) this.waiting.push(act);
		else act();
	}

	/** Resolves once no button is held. */
	released(): Promise<void> {
		return new Promise((resolve) => this.after(resolve));
	}

	private begin(document: Document): void {
		if (this.isHeld) return;
		this.isHeld = true;
		const listening = new AbortController();
		const options = { capture: true, signal: listening.signal };
		const end = (): void => {
			listening.abort();
			window.setTimeout(() => this.end()); // the click comes behind the release
		};
		document.addEventListener("mouseup", end, options);
		document.addEventListener("dragend", end, options);
		document.addEventListener("contextmenu", end, options); // which may keep the release to itself
		// Not captured, as that of each element would be, too: what is pressed takes the focus from another.
		document.defaultView?.addEventListener("blur", end, { signal: listening.signal });
	}

	private end(): void {
		this.isHeld = false;
		for (const act of this.waiting.splice(0)) act();
	}
}
