/** Runs the shipped plugin in the real app; see README.md, "In the app itself". Not part of `npm test`. */
export const config = {
	runner: "local",
	framework: "mocha",
	specs: ["./e2e/app/*.mjs"],
	maxInstances: 1,
	services: ["obsidian"],
	reporters: ["obsidian"],
	cacheDir: ".obsidian-cache",
	capabilities: [
		{
			browserName: "obsidian",
			browserVersion: "latest",
			"wdio:obsidianOptions": {
				installerVersion: "earliest",
				plugins: ["../daemon/cli/plugin_files"],
				vault: "../packaging/sample_vault",
			},
		},
	],
	mochaOpts: { ui: "bdd", timeout: 60_000 },
};
