import { child, keyPlace, type MapNodeTree, mapping, placeOf, scalar, type TreeNode, text, textOf } from "../tree.ts";
import { foreignClient, isMigrationSwitch, migratesFirst } from "./exec.ts";
import { commandAsks, type Finding, finding, normalPath, type Target } from "./finding.ts";
import { type Container, commandOf, containersOf, environmentOf, type Probe, portsOf, probeOf } from "./workloads.ts";

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"] as const;
const NAME = { livenessProbe: "liveness", readinessProbe: "readiness", startupProbe: "startup" } as const;
const BEHIND_LOGIN =
  /^(?:log-?in|log-?out|sign[-_]?in|sign[-_]?on|admin(?:istrator)?|oauth\d?|authorize|sso|saml\d?|openid|wp-(?:admin|login\.php))(?:\.\w+)?$/i;
/** Cloud Run ends a start after this many seconds. */
const STARTUP_WINDOW = 240;
const LONG_DELAY = 30;

/** Judges the probes of all containers in one Kubernetes or Cloud Run document. */
export function judgeManifest(document: TreeNode, target: (id: string) => Target): Finding[] {
  return containersOf(document).flatMap((container) => judgeContainer(container, target(container.workload)));
}

function judgeContainer(container: Container, target: Target): Finding[] {
  const [liveness, readiness, startup] = PROBES.map((key) => probeOf(container.body, key));
  const probes = [liveness, readiness, startup].flatMap((probe) => probe ?? []);
  return [
    ...probes.flatMap((probe) => judgeProbe(probe, container, target)),
    ...(liveness && readiness ? judgePair(liveness, readiness, container.body) : []),
    ...(startup ? judgeStartup(startup, container) : judgeWithoutStartup(liveness ?? null, container)),
    ...(readiness ? [] : judgeWithoutReadiness(container)),
  ];
}

function judgeProbe(probe: Probe, container: Container, target: Target): Finding[] {
  const found: Finding[] = [];
  const kind = NAME[probe.key];
  const asked = asksDeep(probe, target);
  if (asked && kind !== "startup") {
    found.push(
      finding(
        `${kind}-deep`,
        asked,
        `${kind} asks ${target.id}'s deep endpoint: a failing dependency then ${kind === "liveness" ? "restarts" : "takes out"} every pod at once`,
      ),
    );
  }
  if (asked) found.push(...judgeDeepTimeout(probe, target));
  const timeout = scalar(probe.body, "timeoutSeconds");
  if (timeout && probe.timeout !== null && probe.timeout > probe.period) {
    found.push(
      finding(
        "timeout-long",
        timeout,
        `timeoutSeconds ${probe.timeout} is above periodSeconds ${probe.period}: one slow answer swallows the next probes`,
      ),
    );
  }
  found.push(...judgePath(probe), ...judgePort(probe, container.body));
  const exec = mapping(probe.body, "exec");
  const client = exec ? foreignClient(commandOf(exec, "command"), container.names, plainEnvironment(container.body)) : null;
  if (exec && client)
    found.push(
      finding(
        "exec-db-client",
        exec,
        `${kind} runs ${client.client} against another host: it tests the database, not this container`,
        client.line,
      ),
    );
  return found;
}

/** The path, or the word of a command, by which a probe asks the deep endpoint. */
function asksDeep(probe: Probe, target: Target): TreeNode | null {
  if (probe.http) return probe.path !== null && target.paths.has(normalPath(probe.path)) ? (child(probe.http, "path") ?? probe.http) : null;
  const exec = mapping(probe.body, "exec");
  return exec ? (commandOf(exec, "command").find((word) => commandAsks(textOf(word), target.paths)) ?? null) : null;
}

function judgeDeepTimeout(probe: Probe, target: Target): Finding[] {
  const timeout = scalar(probe.body, "timeoutSeconds");
  if (!timeout || probe.timeout === null) {
    return [finding("default-timeout", probe.body, "asks the deep endpoint with the default timeout of 1 s", probe.line)];
  }
  if (probe.timeout * 1_000 >= target.timeout) return [];
  return [
    finding("timeout-short", timeout, `waits ${probe.timeout} s for the deep endpoint, which the map gives ${target.timeout / 1_000} s`),
  ];
}

function judgePath(probe: Probe): Finding[] {
  if (!probe.http || probe.path === null) return [];
  const path = normalPath(probe.path);
  if (path !== "/" && !path.split("/").some((part) => BEHIND_LOGIN.test(part))) return [];
  const what = path === "/" ? "the root page" : "a page behind a login";
  return [
    finding("redirect-or-auth", child(probe.http, "path") ?? probe.http, `asks ${what}: a redirect counts as success, a 401 as failure`),
  ];
}

function judgePort(probe: Probe, container: MapNodeTree): Finding[] {
  const ports = portsOf(container);
  const asked = ["httpGet", "tcpSocket", "grpc"].flatMap((key) => mapping(probe.body, key) ?? [])[0];
  const port = asked ? scalar(asked, "port") : null;
  if (!ports || !port || ports.names.has(textOf(port)) || ports.numbers.has(Number(textOf(port)))) return [];
  return [finding("port-not-exposed", port, `port ${textOf(port).slice(0, 40)} is not among the container's ports`)];
}

function judgePair(liveness: Probe, readiness: Probe, container: MapNodeTree): Finding[] {
  const found: Finding[] = [];
  if (liveness.http && readiness.http && samePlace(liveness, readiness, container)) {
    const message = "readiness asks the same path and port as liveness: what makes a pod step aside also restarts it";
    found.push(finding("same-path", child(readiness.http, "path") ?? readiness.http, message));
  }
  const [lives, steps] = [liveness.period * liveness.threshold, readiness.period * readiness.threshold];
  if (lives < steps) {
    found.push(
      finding(
        "liveness-aggressive",
        liveness.body,
        `liveness restarts after ${lives} s, before readiness gives up after ${steps} s`,
        liveness.line,
      ),
    );
  }
  return found;
}

function samePlace(a: Probe, b: Probe, container: MapNodeTree): boolean {
  const names = portsOf(container)?.names;
  const port = ({ http }: Probe) => {
    const stated = http ? (text(http, "port") ?? "") : "";
    return String(names?.get(stated) ?? stated);
  };
  const path = (probe: Probe) => (probe.path ?? "").replace(/(?<=.)\/$/, "");
  return path(a) === path(b) && port(a) === port(b);
}

function judgeStartup(startup: Probe, container: Container): Finding[] {
  const window = startup.period * startup.threshold;
  if (!container.cloudRun || window <= STARTUP_WINDOW) return [];
  const at = scalar(startup.body, "failureThreshold") ?? scalar(startup.body, "periodSeconds");
  const message = `startup may take ${window} s here, yet Cloud Run ends it after ${STARTUP_WINDOW} s`;
  return [finding("cloud-run-startup-window", at ?? startup.body, message, at ? placeOf(at).line : startup.line)];
}

/** Jobs do not serve: nothing waits for them to start. */
const SERVES_NOTHING = new Set(["Job", "CronJob"]);

function judgeWithoutStartup(liveness: Probe | null, container: Container): Finding[] {
  const delay = liveness ? scalar(liveness.body, "initialDelaySeconds") : null;
  if (liveness && delay && liveness.delay >= LONG_DELAY) {
    return [
      finding(
        "startup-missing",
        delay,
        `liveness waits ${liveness.delay} s at first: a startup probe waits as long as it takes, and no longer`,
      ),
    ];
  }
  const line = migrationLine(container.body);
  if (line === null || SERVES_NOTHING.has(container.kind)) return [];
  return [
    finding("startup-missing", container.body, "the container migrates before it serves, without a startup probe that waits for it", line),
  ];
}

function migrationLine(body: MapNodeTree): number | null {
  const line = migratesFirst([...commandOf(body, "command"), ...commandOf(body, "args")]);
  const variable = [...environmentOf(body)].find(([name, { value }]) => isMigrationSwitch(name, value));
  return line ?? (variable ? placeOf(variable[1].at).line : null);
}

const plainEnvironment = (body: MapNodeTree) => new Map([...environmentOf(body)].map(([name, { value }]) => [name, value]));

const READY_KINDS = new Set(["Deployment", "StatefulSet", "Pod"]);

function judgeWithoutReadiness({ kind, body }: Container): Finding[] {
  const ports = child(body, "ports");
  if (!READY_KINDS.has(kind) || ports?.kind !== "list" || ports.items.length === 0) return [];
  return [
    finding(
      "readiness-missing",
      body,
      "lists ports and has no readiness probe: it gets traffic before it can serve",
      keyPlace(body, "name").line,
    ),
  ];
}
