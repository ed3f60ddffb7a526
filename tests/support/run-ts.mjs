// Runs a TypeScript module of this repository by hand: node tests/support/run-ts.mjs FILE [ARGUMENTS].
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { runnerImport } = await import(pathToFileURL(require.resolve("vite")).href);
const [, , file, ...args] = process.argv;
const { module } = await runnerImport(resolve(file), { configFile: false, logLevel: "error" });
await module.main(args);
