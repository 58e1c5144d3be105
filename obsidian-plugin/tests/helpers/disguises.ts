/** Notes that hide a picture of the web, a script or the code of a plugin from whoever looks for it without reading Markdown as it is read. */

export interface Disguise {
	/** Part of each address that it would load, and of each code that it would run. */
	id: string;
	text: string;
}

const HOST = "https://evil.invalid";

/** What loads or runs, in raw HTML. `at` is an address, `id` what a script tells of itself. */
const TAGS: readonly ((at: string, id: string) => string)[] = [
	(at) => `<img src="${at}">`,
	(at) => `<IMG SRC=${at}>`,
	(at) => `<img alt=">" src='${at}'>`,
	(at) => `<img title="a > b" alt='"' src="${at}">`,
	(at) => `<img/src="${at}"/>`,
	(at) => `<img srcset="${at} 1x, ${at}?2 2x">`,
	(at) => `<picture><source srcset="${at}"><img alt=""></picture>`,
	(at) => `<svg width="9" height="9"><image href="${at}" width="9" height="9"/></svg>`,
	(at) => `<svg width="9" height="9"><image xlink:href="${at}" width="9" height="9"/></svg>`,
	(at) => `<p title=">" style="background:url(${at})">text</p>`,
	(at) => `<b style="background-image: url('${at}')">text</b>`,
	(at) => `<table background="${at}"><tr><td>text</td></tr></table>`,
	(at) => `<input/type="image"/src="${at}">`,
	(at) => `<input type=image src=${at} >`,
	(at) => `<video poster="${at}"></video>`,
	(at) => `<video preload="auto" src="${at}"></video>`,
	(at) => `<audio preload="auto" src="${at}"></audio>`,
	(at) => `<audio controls preload="auto"><source src="${at}"></audio>`,
	(at) => `<iframe src="${at}"></iframe>`,
	(at) => `<object data="${at}"></object>`,
	(at) => `<embed src="${at}">`,
	(at) => `<link rel="stylesheet" href="${at}">`,
	(at) => `<style>@import url("${at}");</style>`,
	(at) => `<script src="${at}"></script>`,
	(_, id) => `<script>(window.ran ??= []).push("${id}")</script>`,
	(_, id) => `<img src="data:," onerror="(window.ran ??= []).push('${id}')">`,
	(_, id) => `<svg onload="(window.ran ??= []).push('${id}')"></svg>`,
];

/** Shapes of CommonMark's specification around a tag. */
const PLACES: readonly ((tag: string) => string)[] = [
	(tag) => tag,
	(tag) => `so ${tag} there`,
	(tag) => `- a\n  - ${tag}\n    more`,
	(tag) => `1. ${tag}`,
	(tag) => `> - ${tag}`,
	(tag) => `a \\\`${tag}\\\` b`,
	(tag) => `so \`\` \` \`\` ${tag} \`\` \` \`\``,
	(tag) => `\`\`\`a\`b\n${tag}\n`,
	(tag) => `    \`\`\`\n\n${tag}\n\n    \`\`\``,
	(tag) => `\`\`\`\ncode\n\`\`\` word\n\`\`\`\n\n${tag}\n\n\`\`\`\nmore\n\`\`\``,
	(tag) => `- \`\`\`\n  code\n\n${tag}\n`,
	(tag) => `> \`\`\`\n> code\n\n${tag}\n`,
	(tag) => `a\n\t\`\`\`\n${tag}\n\t\`\`\``,
	(tag) => `| a | b |\n|---|---|\n| ${tag.replaceAll("|", "\\|")} | x |`,
	(tag) => `## ${tag}`,
	(tag) => `**a *${tag}* b**`,
	(tag) => `[a ${tag} b](other.md)`,
	(tag) => `<div>\n${tag}\n</div>`,
	(tag) => `<!-- a --> ${tag}`,
	(tag) => `<?php a ?>\n${tag}`,
	(tag) => `<!DOCTYPE html>\n${tag}`,
	(tag) => `<![CDATA[ a ]]>\n${tag}`,
	(tag) => `<pre>a</pre>\n${tag}`,
	(tag) => `<a-b c="d">\n${tag}\n`,
];

/** Pictures as Markdown has them. */
const PICTURES: readonly ((at: string) => string)[] = [
	(at) => `![x](${at})`,
	(at) => `![](<${at}>)`,
	(at) => `![x](\n${at}\n"title")`,
	(at) => `![a [b] c](${at})`,
	(at) => `![a\\]b](${at})`,
	(at) => `![a\nb](${at})`,
	(at) => `![a \`]\` b](${at})`,
	(at) => `![a ![b](c.png) d](${at})`,
	(at) => `[![x](${at})](other.md)`,
	(at) => `![x](${at.replace("https", "&#104;ttps")})`,
	(at) => `![x](${at.replace("https", "&#x48;TTPS")})`,
	(at) => `![x](${at.replace(":", "\\:")})`,
	(at) => `![x](${at.replace(":", "&colon;")})`,
	(at) => `![x](${at.replaceAll("/", "&#47;")})`,
	(at) => `![x](${at.replaceAll("/", "&sol;")})`,
	(at) => `![x](${at.replaceAll("/", "\\/")})`,
	(at) => `![x](${at.replace("https:", "")})`,
	(at) => `![x][bird]\n\n[bird]: ${at}`,
	(at) => `![bird][]\n\n[BIRD]: <${at}> "title"`,
	(at) => `![bird]\n\n[bird]:\n${at}`,
	(at) => `![bird](a b.png)\n\n[bird]: ${at}`,
	(at) => `> [bird]: ${at}\n\n![bird]`,
	(at) => `!\\[a](b) ![x](${at})`,
	(at) => `*![x](${at})*`,
	(at) => `a \\\`![x](${at})\\\` b`,
	(at) => `\`\` \` \`\` ![x](${at}) \`\` \` \`\``,
	(at) => `- \`\`\`\n  code\n\n![x](${at})\n`,
	(at) => `> \`\`\`\n\n![x](${at})\n`,
	(at) => `- a\n  1. b\n     > ![x](${at})`,
	(at) => `| ![x](${at}) |\n|---|\n| a |`,
];

/** Code of a plugin, in fences of every place and in lines. */
const FENCES: readonly ((language: string, code: string) => string)[] = [
	(language, code) => `\`\`\`${language}\n${code}\n\`\`\``,
	(language, code) => `~~~ ${language}\n${code}\n~~~`,
	(language, code) => `- \`\`\`${language}\n  ${code}\n  \`\`\``,
	(language, code) => `1. ~~~${language}\n   ${code}\n   ~~~`,
	(language, code) => `- > \`\`\`${language}\n  > ${code}\n  > \`\`\``,
	(language, code) => `> - a\n>   - \`\`\`${language}\n>     ${code}\n>     \`\`\``,
	(language, code) => `-\t\`\`\`${language}\n\t${code}\n\t\`\`\``,
	(language, code) => `> [!note]\n> \`\`\`\`${language}\n> ${code}\n> \`\`\`\``,
	(language, code) => `    \`\`\`\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n    \`\`\``,
	(language, code) => `\`\`\`\na\n\`\`\` word\n\`\`\`\n\n\`\`\`${language}\n${code}\n\`\`\``,
	(language, code) => `\`\`\`${language}\n${code}`,
	(language, code) => `\`\`\`&#${language.charCodeAt(0)};${language.slice(1)}\n${code}\n\`\`\``,
];
const LANGUAGES = ["dataviewjs", "dataview", "js-engine", "scrubjay", "tasks", "mermaid"];
const QUERIES: readonly ((code: string) => string)[] = [
	(code) => `so \`$= ${code}\` there`,
	(code) => `so \`= ${code}\` there`,
	(code) => `so \`\` $= ${code} \`\` there`,
	(code) => `so \`\` = ${code} \`\` there`,
	(code) => `a \\\` b \`$= ${code}\` c`,
	(code) => `so \`\n$= ${code}\` there`,
	(code) => `- > **\`$= ${code}\`**`,
	(code) => `| \`$= ${code}\` |\n|---|\n| a |`,
];

function numbered(kind: string, texts: ((at: string, id: string) => string)[]): Disguise[] {
	return texts.map((text, index) => {
		const id = `${kind}-${index}.`;
		return { id, text: text(`${HOST}/${id}png`, id) };
	});
}

export const DISGUISED_PICTURES = [
	...numbered(
		"tag",
		TAGS.flatMap((tag) => PLACES.map((place) => (at: string, id: string) => place(tag(at, id)))),
	),
	...numbered("picture", [...PICTURES]),
];

export const DISGUISED_CODE = [
	...numbered(
		"fence",
		FENCES.flatMap((fence) => LANGUAGES.map((language) => (_: string, id: string) => fence(language, id))),
	),
	...numbered(
		"query",
		QUERIES.map((query) => (_: string, id: string) => query(id)),
	),
];
