import { randomOf } from "./random.ts";

export interface LargeMap {
  services: number;
  files: number;
  /** Host and port of a service's deep endpoint; by default none listens there. */
  address?: (service: number) => string;
}

/**
 * A map as large companies have it: one file a team, its services with a few dependencies each in both forms of writing,
 * databases beside them, and a system a file. The same numbers give the same text.
 */
export function largeMap({ services, files, address = () => "127.0.0.1:9" }: LargeMap): { path: string; text: string }[] {
  const random = randomOf(`large ${services} ${files}`);
  const below = (limit: number): number => Math.floor(random() * limit);
  const each = Math.ceil(services / files);
  return Array.from({ length: files }, (_, file) => {
    const own = Array.from({ length: Math.max(0, Math.min(each, services - file * each)) }, (_, n) => file * each + n);
    const databases = Math.max(1, Math.ceil(own.length / 10));
    const lines = ["teams:", `  team-${file}: { contact: "#team-${file}" }`, "resources:"];
    for (let n = 0; n < databases; n++) lines.push(`  db-${file}-${n}: { kind: database, team: team-${file} }`);
    lines.push("services:");
    for (const n of own) {
      lines.push(`  svc-${n}:`, `    team: team-${file}`, `    description: Does its part for team ${file}`);
      lines.push(
        `    url: http://${address(n)}/svc-${n}/health/deep`,
        `    tags: { tier: "${below(3) + 1}", zone: ${"abc"[below(3)]} }`,
        "    dependencies:",
      );
      const targets = new Set<string>([`db-${file}-${below(databases)}`]);
      while (targets.size < Math.min(3, n + 1)) targets.add(`svc-${below(n)}`);
      for (const [at, on] of [...targets].entries()) {
        const criticality = at === 0 ? "hard" : random() < 0.3 ? "hard" : "soft";
        if (random() < 0.5)
          lines.push(`      - { on: ${on}, criticality: ${criticality}, reviewed: 2026-09-${String(below(28) + 1).padStart(2, "0")} }`);
        else lines.push(`      - on: ${on}`, `        criticality: ${criticality}`, `        owner: team-${file}`);
      }
    }
    lines.push(
      "systems:",
      `  system-${file}:`,
      `    members: [${own
        .slice(-3)
        .map((n) => `{ node: svc-${n}, criticality: hard }`)
        .join(", ")}]`,
    );
    return { path: `map/team-${String(file).padStart(3, "0")}.yaml`, text: `${lines.join("\n")}\n` };
  });
}
