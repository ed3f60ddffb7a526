import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianTool } from "./debian.ts";
import { eventually } from "./headwater.ts";
import { freePort } from "./ports.ts";

export const MONITORS = new URL("../../config/monitors/", import.meta.url).pathname;

interface FiringAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
}

export interface Monitors {
  /** What the Alertmanager takes for firing now. */
  firing: () => Promise<FiringAlert[]>;
  /** Names of alerts that Prometheus has had at any time so far: pending or firing, or in that state alone. */
  everSeen: (state?: "pending" | "firing") => Promise<string[]>;
  alertmanager: string;
  prometheus: string;
  stop: () => Promise<void>;
}

/**
 * A real Prometheus with the shipped rules on a Headwater, and a real Alertmanager with the shipped routes. Unless they
 * are to run at their own pace, every time in the configurations is shortened; nothing else is changed. Hosts are
 * `address:port`; the receiver gets the routes' webhooks.
 */
export async function startMonitors(
  folder: string,
  { headwater, receiver, asShipped = false }: { headwater: string; receiver: string; asShipped?: boolean },
): Promise<Monitors> {
  const shorten = (text: string, what: RegExp, by: string) => (asShipped ? text : text.replace(what, by));
  const [managerPort, prometheusPort] = [await freePort(), await freePort()];
  const alertmanager = `http://127.0.0.1:${managerPort}`;
  const prometheus = `http://127.0.0.1:${prometheusPort}`;
  const place = (name: string, change: (text: string) => string) =>
    writeFileSync(join(folder, name), change(readFileSync(join(MONITORS, name), "utf8")));

  place("prometheus-rules.yml", (text) => shorten(text, /for: \d+[ms]/g, "for: 2s"));
  place("prometheus.yml", (text) =>
    shorten(
      text,
      /scrape_interval: \w+, scrape_timeout: \w+, evaluation_interval: \w+/,
      "scrape_interval: 500ms, scrape_timeout: 400ms, evaluation_interval: 500ms",
    )
      .replace("127.0.0.1:9093", `127.0.0.1:${managerPort}`)
      .replace("127.0.0.1:8080", headwater),
  );
  place("alertmanager.yml", (text) => shorten(text, /group_(wait|interval): \w+/g, "group_$1: 1s").replaceAll("127.0.0.1:9099", receiver));
  const children = [
    run("prometheus-alertmanager", "prometheus-alertmanager", [
      `--config.file=${join(folder, "alertmanager.yml")}`,
      `--storage.path=${join(folder, "alertmanager")}`,
      `--web.listen-address=127.0.0.1:${managerPort}`,
      "--cluster.listen-address=",
      "--log.level=error",
    ]),
    run("prometheus", "prometheus", [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "prometheus")}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
      ...(asShipped ? [] : ["--rules.alert.resend-delay=1s"]),
      "--log.level=error",
    ]),
  ];
  const stop = async () => {
    await Promise.all(children.map(end));
  };
  try {
    for (const url of [alertmanager, prometheus]) await eventually(`${url} ready`, () => isReady(url), Boolean, 30_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    alertmanager,
    prometheus,
    stop,
    firing: async () => (await (await fetch(`${alertmanager}/api/v2/alerts?active=true`)).json()) as FiringAlert[],
    everSeen: async (state) => {
      const selector = state === undefined ? "" : `{alertstate="${state}"}`;
      const query = encodeURIComponent(`count by (alertname) (count_over_time(ALERTS${selector}[2h]))`);
      const { data } = (await (await fetch(`${prometheus}/api/v1/query?query=${query}`)).json()) as {
        data: { result: { metric: { alertname: string } }[] };
      };
      return data.result.map(({ metric }) => metric.alertname).sort();
    },
  };
}

function run(name: string, inPackage: string, args: string[]): ChildProcess {
  return spawn(debianTool(name, inPackage), args, { stdio: ["ignore", "ignore", "inherit"] });
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Ends a program that was started here; one that does not end by itself is ended. */
function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    child.once("close", () => {
      clearTimeout(late);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
