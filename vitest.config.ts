import { defineConfig } from "vitest/config";

/** Four kinds of test: `unit` is fast and pure, the others use real parts (sockets, files, a browser). */
export default defineConfig({
  test: {
    reporters: ["default", "./tests/support/closing-line.ts"],
    projects: [
      { test: { name: "unit", include: ["tests/server/**/*.test.ts", "tests/web/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "scenarios", include: ["tests/scenarios/**/*.test.ts"], testTimeout: 120_000 } },
      { test: { name: "integration", include: ["tests/integration/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
