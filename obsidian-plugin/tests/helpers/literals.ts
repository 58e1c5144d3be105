import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** Where what is written becomes what is read: properties, and functions with any of their arguments. */
const SHOWN_PROPERTIES =
	/^(text|title|label|about|placeholder|desc|heading|display|aria-label|aria-description|aria-roledescription|alt)$/;
/** A name is read if it looks like one: "Show search", not "search". */
const SHOWN_NAME = /^\p{Lu}\p{Ll}/u;
/** What takes a key of the tables, and at which place. */
const KEYED_CALLS: Readonly<Record<string, number>> = { say: 0, sayAround: 0, notOffered: 1, copyText: 1 };
/** What takes selectors, and what nobody is shown. */
const SILENT_CALLS = /^(matches|closest|querySelector|querySelectorAll|Error|wordKey)$/;
const COMMAND = /^scrubjay /;
/** A list of elements, at least four: "p, li, td, .title". */
const SELECTORS = /^[a-z0-9.-]+(, [a-z0-9.-]+){3,}$/;
const SHOWING_CALLS =
	/^(emptyNotice|errorNotice|notify|Notice|setTitle|setText|setName|setDesc|setButtonText|setPlaceholder|setTooltip|addRibbonIcon|say|now|append|prepend|fill|refill)$/;
const LETTERS = /\p{L}{2}/u;
/** Two words, at least one of them of small letters: no CSS class, key or type reads so. */
const SENTENCE = /(^|[\s“"(])[A-Za-z][a-z']+,? [a-z']{1,}/;

export interface Literal {
	file: string;
	line: number;
	text: string;
}

/** Texts in the source that users would read, and that no table holds. */
export function shownLiterals(root: string, isLeftOut: (file: string) => boolean): Literal[] {
	return sources(root).flatMap((path) => {
		const file = relative(root, path);
		return isLeftOut(file) ? [] : literalsIn(file, readFileSync(path, "utf8"));
	});
}

/** As `shownLiterals`, for one text. */
export function literalsIn(file: string, code: string): Literal[] {
	const source = ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true);
	const found: Literal[] = [];
	const visit = (node: ts.Node): void => {
		const text = textOf(node);
		if (
			text !== null &&
			LETTERS.test(text) &&
			!COMMAND.test(text) &&
			!SELECTORS.test(text) &&
			!isElsewhere(node) &&
			(isShown(node) || SENTENCE.test(text))
		) {
			found.push({ file, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** The words of a literal; of a template those around its values. */
function textOf(node: ts.Node): string | null {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (ts.isTemplateExpression(node))
		return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
	return null;
}

/** Types, imports, comparisons, and the keys of the tables themselves. */
function isElsewhere(node: ts.Node): boolean {
	const { parent } = node;
	if (
		ts.isLiteralTypeNode(parent) ||
		ts.isImportDeclaration(parent) ||
		ts.isExternalModuleReference(parent) ||
		ts.isTypeNode(parent)
	)
		return true;
	if (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText())) return true;
	const [call, argument] = callAround(node);
	const name = call === null ? "" : calledName(call);
	return (
		SILENT_CALLS.test(name) ||
		(call !== null && KEYED_CALLS[name] !== undefined && call.arguments?.[KEYED_CALLS[name]] === argument)
	);
}

/** The call that a text goes to as it is, whichever of several it is, and as which argument. */
function callAround(node: ts.Node): [call: ts.CallExpression | ts.NewExpression | null, argument: ts.Node] {
	let at = node;
	for (; at.parent !== undefined; at = at.parent) {
		const { parent } = at;
		if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return [parent, at];
		if (!isPassedOnBy(parent)) break;
	}
	return [null, at];
}

function isPassedOnBy(parent: ts.Node): boolean {
	return (
		ts.isConditionalExpression(parent) ||
		ts.isParenthesizedExpression(parent) ||
		ts.isTemplateSpan(parent) ||
		ts.isTemplateExpression(parent) ||
		ts.isBinaryExpression(parent)
	);
}

function calledName(call: ts.CallExpression | ts.NewExpression): string {
	return call.expression.getText().split(".").at(-1) ?? "";
}

function isShown(node: ts.Node): boolean {
	const [call, at] = callAround(node);
	if (call !== null) return showsArgument(call, at);
	const { parent } = at;
	if (!ts.isPropertyAssignment(parent) || parent.initializer !== at) return false;
	const name = nameOf(parent.name);
	return SHOWN_PROPERTIES.test(name) || (name === "name" && SHOWN_NAME.test(textOf(node) ?? ""));
}

function showsArgument(call: ts.CallExpression | ts.NewExpression, argument: ts.Node): boolean {
	const name = calledName(call);
	const index = call.arguments?.findIndex((each) => each === argument) ?? -1;
	if (name === "h") return index >= 2;
	if (name === "emptyNotice") return index >= 1;
	if (name === "addRibbonIcon") return index === 1;
	if (name === "setAttribute" || name === "setAttr")
		return (
			call.arguments?.some((each) => ts.isStringLiteral(each) && each.text.startsWith("aria-label")) === true &&
			index === (call.arguments?.length ?? 0) - 1
		);
	return SHOWING_CALLS.test(name);
}

function nameOf(name: ts.PropertyName): string {
	return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : "";
}

/** All TypeScript below a folder. */
export function sources(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		return entry.isDirectory() ? sources(path) : entry.name.endsWith(".ts") ? [path] : [];
	});
}
