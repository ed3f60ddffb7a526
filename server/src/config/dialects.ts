import { dialectNames } from "../formats/index.ts";

/** What `format` may say: `auto`, or the name of a dialect. */
export const FORMATS: readonly string[] = ["auto", ...dialectNames()];
