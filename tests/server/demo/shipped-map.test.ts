import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { QUIRKS, SCRIPT } from "../../../server/src/demo/index.ts";

interface Shape {
  services?: Record<string, { url?: string; instances?: string[]; dependencies?: { on: string; component?: string }[] }>;
  resources?: Record<string, unknown>;
}

const folder = new URL("../../../config/map/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.startsWith("demo"));
const maps = files.map((name) => parse(readFileSync(new URL(name, folder), "utf8")) as Shape);
const services = new Map(maps.flatMap(({ services }) => Object.entries(services ?? {})));
const resources = new Set(maps.flatMap(({ resources }) => Object.keys(resources ?? {})));

describe("the shipped map and the script belong together", () => {
  test("twelve services share one database", () => {
    const needy = [...services.values()].filter(({ dependencies }) => dependencies?.some(({ on }) => on === "shop-db"));
    expect(needy).toHaveLength(12);
  });

  test("every instance has a port of its own on loopback", () => {
    const urls = [...services.values()].flatMap(({ url, instances }) => instances ?? (url ? [url] : [])).map((url) => new URL(url));
    expect(new Set(urls.map(({ port }) => port)).size).toBe(urls.length);
    expect(urls.every(({ hostname, port }) => hostname === "127.0.0.1" && Number(port) >= 18_000 && Number(port) < 19_000)).toBe(true);
  });

  test.each(SCRIPT.map((act) => [act.title, act.faults] as const))("%s: what breaks is on the map", (_title, faults) => {
    for (const { id, instance } of faults) {
      expect(resources.has(id) || services.has(id)).toBe(true);
      if (instance !== undefined) expect(services.get(id)?.instances?.[instance]).toBeDefined();
    }
  });

  test("what a service reports otherwise than the map is about services and components that it has", () => {
    expect(Object.keys(QUIRKS).every((id) => services.has(id))).toBe(true);
    expect(services.get("pricing")?.dependencies?.map(({ component }) => component)).toContain("redis");
  });
});
