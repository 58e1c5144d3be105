/**
 * Compiles the plugin with the typings of each Obsidian that it runs on, got from npm. What is newer, and asked for behind
 * `requireApiVersion` alone, is in `since-VERSION.d.ts`: what is not there, an older Obsidian has.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSIONS = ["1.8.7", "1.10.3", "1.12.2", "1.13.1"];
const HERE = dirname(fileURLToPath(import.meta.url));
const PLUGIN = dirname(HERE);
const isNewer = (one, other) => one.localeCompare(other, "en", { numeric: true }) > 0;
const newer = readdirSync(HERE).flatMap((file) => /^since-(.+)\.d\.ts$/.exec(file)?.slice(1) ?? []);

const folder = mkdtempSync(join(tmpdir(), "obsidian-typings-"));
const config = join(PLUGIN, "tsconfig.typings.json");
let failed = 0;
try {
	for (const version of VERSIONS) {
		const target = join(folder, version);
		execFileSync("npm", [
			"install",
			"--silent",
			"--no-save",
			"--ignore-scripts",
			"--prefix",
			target,
			`obsidian@${version}`,
		]);
		const since = newer.filter((each) => isNewer(each, version)).map((each) => `typings/since-${each}.d.ts`);
		const paths = { obsidian: [join(target, "node_modules/obsidian/obsidian.d.ts")] };
		writeFileSync(
			config,
			JSON.stringify({ extends: "./tsconfig.json", compilerOptions: { paths }, include: ["src", ...since] }),
		);
		const { status, stdout } = spawnSync("npx", ["tsc", "-p", config], { cwd: PLUGIN, encoding: "utf8" });
		console.log(`obsidian ${version}: ${status === 0 ? "compiles" : "does not compile"}\n${stdout}`.trim());
		failed += status === 0 ? 0 : 1;
	}
} finally {
	rmSync(folder, { recursive: true });
	rmSync(config, { force: true });
}
process.exitCode = failed;
