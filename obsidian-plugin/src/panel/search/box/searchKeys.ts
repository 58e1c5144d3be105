import { actionOf, givesWay, isSpent, listActionOf, offerOf, type Action } from "./keys";
import type { SearchBox } from "./searchBox";

export interface SearchKeysOptions {
	isMac: boolean;
	/** In a pane of Obsidian's, keys that Obsidian has, too, are left to it. */
	inPane: boolean;
	box: SearchBox;
	/** Take what is offered under this number; says whether there is anything. */
	takeOffer: (number: number) => boolean;
	can: (action: Action) => boolean;
	act: (action: Action) => void;
}

/** Decides what a key press in the search panel does. */
export class SearchKeys {
	constructor(private readonly options: SearchKeysOptions) {}

	/** Do what the key says, if it is one of the panel's own shortcuts: those with a modifier. Says whether it was. */
	shortcut(event: KeyboardEvent): boolean {
		const { inPane, isMac } = this.options;
		if (inPane && givesWay(actionOf(event, isMac))) return false;
		return (event.ctrlKey || event.metaKey || event.altKey) && !event.defaultPrevented && this.pressed(event);
	}

	/** Do what the key says, in the box or in the list. Says whether it was one of the panel's. */
	pressed(event: KeyboardEvent): boolean {
		const { isMac, takeOffer, act } = this.options;
		if (event.defaultPrevented) return false;
		const offer = offerOf(event);
		const action = actionOf(event, isMac) ?? this.single(event);
		const isHeld = isSpent(event, action);
		if (offer !== null ? !isHeld && !takeOffer(offer) : !this.isOurs(event, action)) return false;
		event.preventDefault();
		event.stopPropagation();
		if (offer === null && action !== null && !isHeld) act(action);
		return true;
	}

	/** A question mark begins no search: in an empty box, too, it asks for the keys. */
	private single(event: KeyboardEvent): Action | null {
		const action = listActionOf(event);
		return this.isTyped(event) && !(action === "keys" && this.options.box.query === "") ? null : action;
	}

	private isOurs(event: KeyboardEvent, action: Action | null): action is Action {
		const { box, can } = this.options;
		if (action === null || !can(action)) return false;
		if (action === "copy-link" || action === "dismiss") return !box.hasSelection;
		// In the box, an arrow first moves the caret.
		return action !== "read" || !this.isTyped(event) || (box.query !== "" && box.isAtEnd);
	}

	private isTyped({ target }: KeyboardEvent): boolean {
		return target === this.options.box.input;
	}
}
