import type { Finding, ProbeRule } from "./finding.ts";

/** The probe that a finding is about. */
export type ProbeKind = "liveness" | "readiness" | "startup";

/** Who acts on a failing probe, and what the action does. */
function actionOf(kind: ProbeKind, cloudRun: boolean): string {
  const who = cloudRun ? "Cloud Run" : "The kubelet";
  if (kind === "liveness") return `${who} restarts the container when liveness fails`;
  if (kind === "readiness")
    return cloudRun
      ? "Cloud Run sends an instance no requests while readiness fails"
      : "Kubernetes takes the pod out of its Services while readiness fails";
  return `${who} ends the container and starts it anew when startup fails`;
}

type Advice = (kind: ProbeKind, cloudRun: boolean) => string;

/** For each rule, who acts and what that does, then what to do instead. */
const ADVICE: Readonly<Record<ProbeRule, Advice>> = {
  "liveness-deep": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}; a restart repairs no dependency, and one that is shared restarts all replicas together. Ask a path that the process answers alone, such as /livez`,
  "readiness-deep": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}; a dependency that is shared takes all of them out at once, and what could still be answered is not. Ask a path that tells whether this replica can serve, such as /readyz`,
  "same-path": (_, cloudRun) =>
    `${actionOf("liveness", cloudRun)}, and only steps aside for readiness: one answer cannot ask for both. Give liveness a path of its own that hardly ever fails`,
  "default-timeout": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}, and 1 s is less than a deep check takes while something is wrong. Set timeoutSeconds to the map's timeout or more, or ask a shallow path`,
  "timeout-short": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}, while Headwater still waits for the same answer. Set timeoutSeconds to the map's timeout or more, or ask a shallow path`,
  "timeout-long": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}, here later than period and threshold say, since one slow answer swallows the probes after it. Keep timeoutSeconds at most periodSeconds`,
  "startup-missing": (_, cloudRun) =>
    `${actionOf("liveness", cloudRun)}: a start that takes longer than a fixed delay is cut off, time after time, and a shorter one is not watched. Add a startupProbe whose period × threshold covers the slowest start`,
  "exec-db-client": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}, and so here when a shared database is down, in every replica at once. Ask the container itself; the state of its dependencies belongs in the deep endpoint`,
  "redirect-or-auth": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}: here a redirect counts as success and a 401 as failure, and neither says anything of the process. Ask a path that needs no login and answers 200 itself`,
  "port-not-exposed": (kind, cloudRun) =>
    `${actionOf(kind, cloudRun)}, and nothing that the container lists answers there. Name one of its ports`,
  "cloud-run-startup-window": () =>
    "Cloud Run ends the instance then, whatever the threshold says, and starts another that fares no better. Keep period × threshold at 240 s or less, and move slow work, such as migrations, before the start",
  "liveness-aggressive": (_, cloudRun) =>
    `${actionOf("liveness", cloudRun)}, here before it had a chance to step aside and recover. Let liveness take longer than readiness: a longer period, or a higher threshold`,
  "readiness-missing": () =>
    "Services send requests as soon as the container runs, also while it starts and while it cannot serve. Add a readinessProbe on a path such as /readyz",
  "health-check-path-deep": () =>
    "App Service takes out instances that fail, and replaces them after an hour, though never all at once. A shallow path spares healthy instances while a dependency is down",
  "docker-healthcheck-deep": () =>
    "Docker marks the container unhealthy; Compose lets others wait for it, and Swarm or an autoheal container restarts it. Fine on a developer's machine; where anything acts on it, ask a shallow path",
};

/** Who acts on a finding, what the action does and what to do instead. */
export const adviceFor = (rule: ProbeRule, kind: ProbeKind, cloudRun: boolean) => ADVICE[rule](kind, cloudRun);

/** The finding with that advice. */
export function withAdvice(finding: Finding, kind: ProbeKind, cloudRun: boolean): Finding {
  return { ...finding, message: `${finding.message}. ${adviceFor(finding.rule, kind, cloudRun)}` };
}
