import type { Reporter, TestModule } from "vitest/node";

/** Prints the run's last line as `N passed, N failed`, which continuous integration counts. Skipped tests count as failed: none may be. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      if (module.state() === "failed" && [...module.children.allTests()].length === 0) failed++;
      for (const test of module.children.allTests()) {
        if (test.result().state === "passed") passed++;
        else failed++;
      }
    }
    if (failed > 0) process.exitCode = 1;
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}
