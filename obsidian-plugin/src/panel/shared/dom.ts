/** The few DOM helpers that the panel needs. It runs in a plain page too, so it cannot use Obsidian's own. */

type Factory = Pick<Document, "createElement" | "createElementNS">;
export type Child = Node | string | null | undefined | false;

export interface Props {
	class?: string;
	text?: string;
	title?: string;
	/** undefined and false leave the attribute out; true sets it empty. */
	attrs?: Record<string, string | number | boolean | undefined>;
	on?: { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };
}

/** Of another type than the document: the page lacks the `createEl` that Obsidian gives it. */
const factory: Factory = window.document;
const SVG = "http://www.w3.org/2000/svg";

/** What takes keys or clicks by itself. */
const CONTROL = /^(?:a|button|input|select|textarea)$/i;

/** Does the host show the label of what is under the pointer as a tooltip? */
let labelsAreTooltips = false;

/** Say that the host shows labels as tooltips: a title beside one would be a second, and one on what is no control that of all that is inside. */
export function tooltipsAreLabels(): void {
	labelsAreTooltips = true;
}

/** Make an element. Strings among the children become text nodes: never markup. No button submits a form. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
	tag: Tag,
	props: Props = {},
	...children: Child[]
): HTMLElementTagNameMap[Tag] {
	const element = factory.createElement(tag);
	if (tag === "button") setAttr(element, "type", tag);
	if (props.class) element.className = props.class;
	if (props.text !== undefined) element.textContent = props.text;
	if (props.title && !(labelsAreTooltips && props.attrs?.["aria-label"] !== undefined)) element.title = props.title;
	for (const [name, value] of Object.entries(props.attrs ?? {})) setAttr(element, name, value);
	for (const [name, listener] of Object.entries(props.on ?? {}))
		element.addEventListener(name, listener as EventListener);
	append(element, children);
	return element;
}

export function append(parent: Element, children: readonly Child[]): void {
	for (const child of children) if (child !== null && child !== undefined && child !== false) parent.append(child);
}

/** Replace whatever `parent` holds; what names it stays. */
export function fill(parent: Element, ...children: Child[]): void {
	const name = nameIn(parent);
	parent.replaceChildren(...(name ? [name] : []));
	append(parent, children);
}

/** As `fill`, and the focus stays on what has the same label as before. */
export function refill(parent: Element, ...children: Child[]): void {
	keepFocus(parent, () => fill(parent, ...children), "aria-label");
}

/** Have `draw` fill `parent` anew; the focus stays where it was, or on what has the same one of the `attributes`. Says whether it was in there, and is not any more. */
export function keepFocus(parent: Element, draw: () => void, ...attributes: string[]): boolean {
	const document = parent.ownerDocument;
	const focused = document.activeElement;
	const wasInside = parent.contains(focused);
	const attribute = attributes.find((name) => focused?.hasAttribute(name)) ?? "data-focus";
	const key = focused?.getAttribute(attribute);
	draw();
	if (!wasInside) return false;
	const again = parent.contains(focused)
		? focused
		: [...parent.querySelectorAll(`[${attribute}]`)].find((element) => element.getAttribute(attribute) === key);
	if (again instanceof HTMLElement) again.focus();
	return !parent.contains(document.activeElement);
}

/** Words beside what matters. */
export function muted(...children: Child[]): HTMLElement {
	return h("p", { class: "sj-muted" }, ...children);
}

/** Whether a letter or digit that is pressed decides something: pressed once, and on what is decided about or a part of it. */
export function isMeant({ repeat, target }: KeyboardEvent, about: Element | null | undefined): boolean {
	return !repeat && about?.contains(target as Node | null) === true;
}

export function setAttr(element: Element, name: string, value: string | number | boolean | undefined): void {
	if (labelsAreTooltips && name === "aria-label" && !CONTROL.test(element.tagName))
		return setName(element, value === undefined || value === false ? null : String(value));
	if (value === undefined || value === false) element.removeAttribute(name);
	else element.setAttribute(name, value === true ? "" : String(value));
}

export function svg(tag: string, attrs: Record<string, string>, ...children: Element[]): Element {
	const element: Element = factory.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, value);
	element.append(...children);
	return element;
}

/** Name it by a hidden element in it. */
function setName(element: Element, words: string | null): void {
	nameIn(element)?.remove();
	element.removeAttribute("aria-labelledby");
	if (words === null) return;
	const id = uniqueId("name");
	element.prepend(h("i", { class: NAME_CLASS, text: words, attrs: { id, hidden: true } }));
	element.setAttribute("aria-labelledby", id);
}

function nameIn(element: Element): Element | undefined {
	return [...element.children].find((child) => child.classList.contains(NAME_CLASS));
}

const NAME_CLASS = "sj-name";

let lastId = 0;
/** An id that no other element of this window has. */
export function uniqueId(prefix: string): string {
	lastId += 1;
	return `sj-${prefix}-${lastId}`;
}

/** A colour that the user or the daemon chose reaches the style sheet as a custom property. */
export function setColour(element: HTMLElement, colour: string | null | undefined): void {
	if (colour && /^#[0-9a-f]{3,8}$|^[a-z]+$/i.test(colour)) element.style.setProperty("--sj-colour", colour);
}
