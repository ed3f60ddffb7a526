import { defineConfig } from "vitest/config";

/** Four kinds of test: `unit` is fast and pure, the others use real parts (sockets, files, a browser). */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["tests/server/**/*.test.ts", "tests/web/**/*.test.ts"] } },
      { test: { name: "scenarios", include: ["tests/scenarios/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "integration", include: ["tests/integration/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
