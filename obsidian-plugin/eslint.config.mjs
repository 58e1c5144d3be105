import obsidianmd from "eslint-plugin-obsidianmd";
import { defineConfig, globalIgnores } from "eslint/config";

/** The panel may not know a host, and only the Obsidian host may import `obsidian`. */
const hostless = {
	patterns: [
		{
			group: ["**/host/obsidian/**", "**/host/page/**"],
			message: "The panel knows no host: ask for what it needs through panel/host.ts.",
		},
		{ group: ["obsidian"], message: "Only src/host/obsidian/ may import it." },
	],
};

/** The directory looks by a configuration of its own: all that it could ask is asked here. */
const everyRule = Object.fromEntries(Object.keys(obsidianmd.rules).map((name) => [`obsidianmd/${name}`, "error"]));

export default defineConfig([
	globalIgnores(["node_modules/", "typings/", "main.js", "package.json", "package-lock.json", "versions.json"]),
	...obsidianmd.configs.recommended,
	{
		files: ["**/*.ts"],
		languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
	},
	{ files: ["src/**/*.ts"], rules: everyRule },
	{ files: ["src/api/**/*.ts", "src/panel/**/*.ts"], rules: { "no-restricted-imports": ["error", hostless] } },
]);
