import { Disclosure } from "./disclosure";
import { h, setAttr, uniqueId } from "./dom";
import { icon } from "./icons";
import { button, type NoticeAction } from "./notice";

/** What a press does says under the pointer, and to assistive technology, what will come of it. */
export interface ExplainedAction extends NoticeAction {
	about?: string;
}

export function explainedButton({ about, ...action }: ExplainedAction, className?: string): HTMLElement {
	const element = button(action, className);
	if (about !== undefined) element.title = about;
	return element;
}

/** A button that shows what is seldom done, one below the other. danger: what can't be taken back, apart from the others. */
export function actionMenu(label: string, actions: readonly ExplainedAction[], danger: NoticeAction): HTMLElement {
	const list = h("div", { class: "sj-menu-list", attrs: { id: uniqueId("menu") } });
	const opener = h("button", { class: "sj-button sj-menu-button" }, label, icon("down"));
	const around = h("div", { class: "sj-menu" }, opener, list);
	const menu = new Disclosure(around, opener, list);
	const closing = (action: ExplainedAction): ExplainedAction => ({
		...action,
		act: () => {
			menu.close();
			action.act();
		},
	});
	list.append(
		...actions.map((action) => explainedButton(closing(action))),
		explainedButton(closing(danger), "sj-button sj-button-danger"),
	);
	setAttr(list, "role", "group");
	setAttr(list, "aria-label", label);
	return around;
}
