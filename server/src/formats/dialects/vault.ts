import { structured } from "../structured.ts";

/** HashiCorp Vault and OpenBao: booleans; which code comes with which state depends on the query string. */
export const vault = structured({
  name: "vault",
  title: "HashiCorp Vault `sys/health`",
  recognised: "`initialized` and `sealed` as booleans",
  mapped: "sealed or not initialised is unhealthy, everything else healthy, standbys too; 429, 472, 473 are standbys",
  matches: (value) => typeof value.initialized === "boolean" && typeof value.sealed === "boolean",
  adjust: (_reading, value) => ({
    word: { status: value.initialized === true && value.sealed === false ? "up" : "down" },
    clientErrorSpeaks: true,
  }),
});
