import { child, keyPlace, type MapNodeTree, mapping, placeOf, scalar, type TreeNode, text, textOf } from "../tree.ts";
import { withAdvice } from "./advice.ts";
import { foreignClient, isMigrationSwitch, migratesFirst, wordsOf } from "./exec.ts";
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
  const { cloudRun, body } = container;
  const others = [
    ...(liveness && readiness ? judgePair(liveness, readiness, body) : []),
    ...(startup ? judgeStartup(startup, container) : judgeWithoutStartup(liveness ?? null, container)),
    ...(readiness ? [] : judgeWithoutReadiness(container)),
  ];
  return [
    ...probes.flatMap((probe) => judgeProbe(probe, container, target).map((found) => withAdvice(found, NAME[probe.key], cloudRun))),
    ...others.map((found) => withAdvice(found, "liveness", cloudRun)),
  ];
}

function judgeProbe(probe: Probe, container: Container, target: Target): Finding[] {
  const found: Finding[] = [];
  const kind = NAME[probe.key];
  const asked = asksDeep(probe, target);
  if (asked !== null && kind !== "startup") {
    found.push(finding(`${kind}-deep`, probe.body, `${kind} asks ${target.id}'s deep endpoint`, asked));
  }
  if (asked !== null) found.push(...judgeDeepTimeout(probe, target));
  const timeout = scalar(probe.body, "timeoutSeconds");
  if (timeout && probe.timeout !== null && probe.timeout > probe.period) {
    found.push(finding("timeout-long", timeout, `timeoutSeconds ${probe.timeout} is above periodSeconds ${probe.period}`));
  }
  found.push(...judgePath(probe), ...judgePort(probe, container.body));
  const exec = mapping(probe.body, "exec");
  const client = exec ? foreignClient(commandOf(exec, "command"), container.names, plainEnvironment(container.body)) : null;
  if (exec && client) found.push(finding("exec-db-client", exec, `${kind} runs ${client.client} against another host`, client.line));
  return found;
}

/** Line of the path, or of the word of a command, by which a probe asks the deep endpoint; null where it does not. */
function asksDeep({ http, path, body }: Probe, { paths }: Target): number | null {
  if (http) return path !== null && paths.has(normalPath(path.replace(/^\/?/, "/"))) ? placeOf(child(http, "path") ?? http).line : null;
  const exec = mapping(body, "exec");
  return exec ? (wordsOf(commandOf(exec, "command")).find(({ text }) => commandAsks(text, paths))?.line ?? null) : null;
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
  return [finding("redirect-or-auth", child(probe.http, "path") ?? probe.http, `asks ${what}`)];
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
  const [lively, ready] = [placeAsked(liveness, container), placeAsked(readiness, container)];
  if (lively && ready && lively.path === ready.path && lively.port === ready.port)
    found.push(finding("same-path", readiness.body, "readiness asks the same path and port as liveness", ready.line));
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

/** An address within the pod, as a command asks it. */
const OWN_ADDRESS = /^["']?(http|https):\/\/(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?::(\d+))?(\/[^\s?#"']*)/i;

/** The path and port that a probe asks over HTTP, itself or by a command; null where it does not. */
function placeAsked({ http, path, body }: Probe, container: MapNodeTree): { path: string; port: string; line: number } | null {
  if (http) {
    const stated = text(http, "port") ?? "";
    const port = String(portsOf(container)?.names.get(stated) ?? stated);
    return { path: (path ?? "").replace(/(?<=.)\/$/, ""), port, line: placeOf(child(http, "path") ?? http).line };
  }
  const exec = mapping(body, "exec");
  for (const word of exec ? wordsOf(commandOf(exec, "command")) : []) {
    const [, scheme, port, asked] = OWN_ADDRESS.exec(word.text) ?? [];
    if (scheme && asked)
      return { path: asked.replace(/(?<=.)\/$/, ""), port: port ?? (/^https$/i.test(scheme) ? "443" : "80"), line: word.line };
  }
  return null;
}

function judgeStartup(startup: Probe, container: Container): Finding[] {
  const window = startup.period * startup.threshold;
  if (!container.cloudRun || window <= STARTUP_WINDOW) return [];
  const at = scalar(startup.body, "failureThreshold") ?? scalar(startup.body, "periodSeconds");
  const message = `startup may take ${window} s here, above the ${STARTUP_WINDOW} s of Cloud Run`;
  return [finding("cloud-run-startup-window", at ?? startup.body, message, at ? placeOf(at).line : startup.line)];
}

/** Jobs do not serve: nothing waits for them to start. */
const SERVES_NOTHING = new Set(["Job", "CronJob"]);

function judgeWithoutStartup(liveness: Probe | null, container: Container): Finding[] {
  const delay = liveness ? scalar(liveness.body, "initialDelaySeconds") : null;
  if (liveness && delay && liveness.delay >= LONG_DELAY) {
    return [finding("startup-missing", delay, `liveness waits ${liveness.delay} s at first`)];
  }
  const line = migrationLine(container.body);
  if (line === null || SERVES_NOTHING.has(container.kind)) return [];
  return [finding("startup-missing", container.body, "the container migrates before it serves, and has no startup probe", line)];
}

function migrationLine(body: MapNodeTree): number | null {
  const line = migratesFirst([...commandOf(body, "command"), ...commandOf(body, "args")]);
  const variable = [...environmentOf(body)].find(([name, { value }]) => isMigrationSwitch(name, value));
  return line ?? (variable ? placeOf(variable[1].at).line : null);
}

const plainEnvironment = (body: MapNodeTree) => new Map([...environmentOf(body)].map(([name, { value }]) => [name, value]));

const READY_KINDS = new Set(["Deployment", "StatefulSet", "Pod"]);

function judgeWithoutReadiness({ kind, sidecar, body }: Container): Finding[] {
  const ports = child(body, "ports");
  if (!READY_KINDS.has(kind) || sidecar || ports?.kind !== "list" || ports.items.length === 0) return [];
  return [finding("readiness-missing", body, "lists ports and has no readiness probe", keyPlace(body, "name").line)];
}
