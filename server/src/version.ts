import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

/** The package's version, as `package.json` says. */
export const VERSION: string = manifest.version;
