/** A picture by a name or path of the vault, with nothing in it that an address, an entity or a nested bracket needs. */
const PICTURE_OF_VAULT =
	/!\[\[[\p{L}\p{N}_./ -]+\.(?:avif|bmp|gif|jpe?g|png|svg|webp)(?:\|[\w ]*)?\]\]|!\[[\p{L}\p{N}_.,:;!?' -]*\]\((?![^)]*\/\/)[\p{L}\p{N}_./%-]+\)/gu;
/** Tags without attributes, and addresses in angle brackets. */
const BARE_TAG =
	/<\/?(?:b|br|center|del|details|em|i|ins|kbd|mark|s|small|strong|sub|summary|sup|u) ?\/?>|<https?:\/\/[^\s<>"'`]*>/gi;
/** What a picture or a tag begins with, and the commands of formulas that give an element a style. */
const MAY_LOAD = /!\[|<[a-z!?/]|\\(?:style|require|mmltoken)/i;

/**
 * Whether Obsidian may draw this Markdown: nothing in it, however it is read, is a picture or a tag that could load from
 * elsewhere, nor another note, which could hold one. It errs on the side of no, in code for example.
 */
export function drawsFromVaultAlone(text: string): boolean {
	return !MAY_LOAD.test(text.replace(PICTURE_OF_VAULT, "").replace(BARE_TAG, ""));
}
