import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		projects: [
			{ test: { name: "unit", include: ["tests/**/*.test.ts"], environment: "happy-dom", restoreMocks: true } },
			{ test: { name: "e2e", include: ["e2e/**/*.test.ts"], environment: "node", testTimeout: 90_000, fileParallelism: false } },
		],
	},
});
