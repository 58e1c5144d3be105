import { say } from "../../words/say";
import { fill, h, keepFocus, setAttr } from "./dom";
import { button, type NoticeAction } from "./notice";
import { Press } from "./press";

/** Something that is to be known, and what can be done about it. */
export interface Message {
	text: string;
	action?: NoticeAction | undefined;
	/** It is told of a lock alone. */
	isOfLock?: boolean;
}

/** One line of what is to be known: the most pressing, and how many others there are, which a press turns to. Never two lines at once. */
export class Banner {
	readonly element: HTMLElement;
	private messages: readonly Message[] = [];
	private shown = 0;
	private readonly press: Press;

	constructor(
		className: string,
		role: "alert" | "status",
		private readonly actionClass = "sj-button",
	) {
		this.element = h("div", { class: className, attrs: { role } });
		this.press = new Press(this.element);
	}

	/** Tell these, the most pressing first. Whoever has turned to another of the same ones goes on seeing that. */
	show(messages: readonly Message[]): void {
		this.press.after(() => this.take(messages));
	}

	private take(messages: readonly Message[]): void {
		const wordsOf = (those: readonly Message[]): string => those.map(({ text }) => text).join();
		const isSame = wordsOf(messages) === wordsOf(this.messages);
		this.messages = messages;
		if (isSame) return;
		this.shown = 0;
		this.draw();
	}

	private draw(): void {
		const { length } = this.messages;
		const message = this.messages[this.shown];
		if (!message) return fill(this.element);
		const { text, action } = message;
		const act = (): void => this.messages[this.shown]?.action?.act();
		const others = button({
			label: say("notice.others", { count: length - 1 }),
			act: () => {
				this.shown = (this.shown + 1) % length;
				this.draw();
			},
		});
		setAttr(others, "data-focus", "others");
		const draw = (): void =>
			fill(
				this.element,
				h("span", { text }),
				action && button({ label: action.label, act }, this.actionClass),
				length > 1 && others,
			);
		keepFocus(this.element, draw);
	}
}
