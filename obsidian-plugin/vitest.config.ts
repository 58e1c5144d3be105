import { defineConfig } from "vitest/config";

const PLUGIN = "tests/host/**/*.test.ts";
const unit = {
	include: ["tests/**/*.test.ts"],
	environment: "happy-dom",
	alias: { obsidian: "obsidian-test-mocks/obsidian" }, // the package itself has types only
	setupFiles: ["tests/helpers/english.ts", "tests/helpers/patience.ts"],
	restoreMocks: true,
	testTimeout: 60_000,
	expect: { poll: { timeout: 30_000 } },
};

const browser = {
	environment: "node",
	globalSetup: "e2e/support/setup.ts",
	testTimeout: 480_000,
	hookTimeout: 960_000,
	expect: { poll: { timeout: 180_000 } },
	fileParallelism: false,
};

export default defineConfig({
	test: {
		projects: [
			{ test: { ...unit, name: "unit", exclude: [PLUGIN], isolate: false } }, // a document for each took two thirds of the time
			{ test: { ...unit, name: "plugin", include: [PLUGIN] } }, // what is loaded once is to be seen loading
			{ test: { ...browser, name: "e2e", include: ["e2e/*.test.ts"], isolate: false } },
			{ test: { ...browser, name: "slow", include: ["e2e/slow/*.test.ts"], isolate: false } },
			{ test: { ...browser, name: "bench", include: ["e2e/bench/*.test.ts"], testTimeout: 600_000 } },
			{ test: { ...browser, name: "pictures", include: ["e2e/pictures/*.test.ts"], testTimeout: 3_600_000 } },
		],
	},
});
