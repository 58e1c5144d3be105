import { setAttr } from "./dom";

/** A button and the panel that it shows, and hides when it is pressed once more, by Escape, and once the user turns to something else. */
export class Disclosure {
	/** around: the button and the panel lie in it. */
	constructor(
		private readonly around: HTMLElement,
		private readonly button: HTMLElement,
		private readonly panel: HTMLElement,
	) {
		setAttr(button, "aria-controls", panel.id);
		button.addEventListener("click", () => this.toggle());
		around.addEventListener("keydown", (event) => {
			if (event.key !== "Escape" || !this.close()) return;
			event.preventDefault();
			event.stopPropagation();
			button.focus();
		});
		// Where nothing that can have the focus was clicked, no element has it: the panel stays for whoever clicked in it.
		around.addEventListener("focusout", ({ relatedTarget }) => {
			if (relatedTarget instanceof Node && !this.has(relatedTarget)) this.close();
		});
		this.set(false);
	}

	get isOpen(): boolean {
		return !this.panel.hidden;
	}

	toggle(): void {
		this.set(!this.isOpen);
	}

	/** Hide the panel. Says whether it was shown. */
	close(): boolean {
		const wasOpen = this.isOpen;
		this.set(false);
		return wasOpen;
	}

	private set(isOpen: boolean): void {
		this.panel.hidden = !isOpen;
		setAttr(this.button, "aria-expanded", String(isOpen));
		const document = this.around.ownerDocument;
		if (isOpen) document.addEventListener("pointerdown", this.turned);
		else document.removeEventListener("pointerdown", this.turned);
	}

	private readonly turned = ({ target }: Event): void => {
		if (!this.has(target as Node | null)) this.close();
	};

	private has(node: Node | null): boolean {
		return this.button.contains(node) || this.panel.contains(node);
	}
}
