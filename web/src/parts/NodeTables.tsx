import type { NodeDetail } from "headwater/contract";
import { Link } from "wouter";
import { useShortened } from "../effects/shorten.ts";
import type { Names } from "../model/headline.ts";
import { dissentersFirst, witnessWords } from "../model/nodeWords.ts";
import { isAccountedFor, lookOf, statusOfComponent } from "../model/status.ts";
import { age, latency, setting } from "../model/time.ts";
import { Ago, Seen } from "./Ago.tsx";
import { StateWord } from "./Mark.tsx";
import { More } from "./More.tsx";
import { Section } from "./Section.tsx";
import tables from "./table.module.css";

/** Witnesses shown before somebody asks for all: the time of the node stands beneath them. */
const FIRST = 12;

const ms = (value: number | null): string => (value === null ? "–" : latency(value));

function Age({ checked, fallback }: { checked: string | null; fallback: number | null }) {
  if (checked !== null) return <Ago at={checked} />;
  return fallback === null ? "–" : age(fallback);
}

/** How our own polls ended, in a few words. */
function pollWords(detail: NodeDetail): string {
  const [first, ...rest] = detail.instances;
  if (!first) return "not polled";
  const word = (one: typeof first): string =>
    one.error ? one.error : one.http_status !== null ? String(one.http_status) : (one.outcome?.replace("_", " ") ?? "no result yet");
  const words = [...new Set([first, ...rest].map(word))];
  return words.length > 2 ? `${words.slice(0, 2).join(", ")} …` : words.join(", ");
}

/** Everyone who looks at the node: our poll first, then the services that report on it. */
export function WitnessTable({ detail, names }: { detail: NodeDetail; names: Names }) {
  const { node, own_word } = detail;
  const explained = isAccountedFor(node);
  // Ours stands beside theirs: what was said last, and what is held where that differs.
  const word = lookOf(own_word ?? node.status).word;
  const { shown, more } = useShortened(detail.witnesses, FIRST, dissentersFirst(detail));
  return (
    <Section title="Witnesses" aside={witnessWords(detail)}>
      <table className={`${tables.table} ${tables.witnesses}`}>
        <thead>
          <tr>
            <th>who looks</th>
            <th className={tables.opt}>edge</th>
            <th>sees it as</th>
            <th className={`num ${tables.num} ${tables.opt}`}>latency</th>
            <th className={`num ${tables.num}`}>checked</th>
            <th className={tables.opt}>weight</th>
          </tr>
        </thead>
        <tbody>
          {detail.instances.length > 0 && (
            <tr className={tables.ours}>
              <th scope="row">Headwater, our poll</th>
              <td className={tables.opt} />
              <td>
                <StateWord status={word} explained={explained}>
                  {word}, {pollWords(detail)}
                  {word === node.status ? "" : `, held ${node.status}`}
                </StateWord>
              </td>
              <td className={`${tables.num} ${tables.opt}`}>{ms(node.latency_ms)}</td>
              <td className={tables.num}>
                <Seen id={node.id} every={node.every_ms} />
              </td>
              <td className={tables.opt}>status</td>
            </tr>
          )}
          {shown.map((one) => (
            <tr key={one.from} className={one.counts ? undefined : tables.old}>
              <th scope="row">
                <Link href={`/nodes/${encodeURIComponent(one.from)}`} data-cursor="">
                  {names(one.from)}
                </Link>
              </th>
              <td className={`${tables.opt} ${tables.word}`}>{one.criticality}</td>
              <td>
                <StateWord status={statusOfComponent(one.status)} explained={explained}>
                  {one.status}
                  {one.error ? `, ${one.error}` : ""}
                  {one.damped !== one.status ? `, held ${one.damped}` : ""}
                </StateWord>
              </td>
              <td className={`${tables.num} ${tables.opt}`}>{ms(one.latency_ms)}</td>
              <td className={tables.num}>
                <Age checked={one.checked_at} fallback={one.age_ms} />
              </td>
              <td className={tables.opt}>{one.counts ? "counts" : "too old, or no report"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <More of={detail.witnesses.length} onMore={more} />
    </Section>
  );
}

/** The words of the other witnesses: `3 down`, `2 up, 1 down`. */
function othersSay({ up, down }: NodeDetail["dependencies"][number]["others"]): string {
  return [...(up > 0 ? [`${up} up`] : []), ...(down > 0 ? [`${down} down`] : [])].join(", ") || "–";
}

/** What the node needs: its own word, the state of the target, and what the others see of it. */
export function DependencyTable({ detail, names }: { detail: NodeDetail; names: Names }) {
  const cause = detail.path.at(-1);
  const { dependencies, unmapped } = detail;
  if (dependencies.length === 0 && unmapped.length === 0) {
    return detail.node.kind === "service" ? (
      <Section title="What it needs">
        <p className="quiet">Nothing is declared.</p>
      </Section>
    ) : null;
  }
  return (
    <Section title="What it needs">
      <table className={`${tables.table} ${tables.needs}`}>
        <thead>
          <tr>
            <th>dependency</th>
            <th>edge</th>
            <th>it says</th>
            <th className={tables.opt}>others say</th>
            <th className={tables.opt}>we hold it</th>
            <th className={tables.num}>age</th>
          </tr>
        </thead>
        <tbody>
          {dependencies.map((one) => (
            <tr key={one.to} className={one.counts ? undefined : tables.old}>
              <th scope="row">
                <Link href={`/nodes/${encodeURIComponent(one.to)}`} data-cursor="">
                  {one.to === cause ? <b>{names(one.to)}</b> : names(one.to)}
                </Link>
              </th>
              <td className={tables.word}>
                {one.criticality}
                {one.group !== null ? `, ${one.need ?? 1} of group ${one.group + 1}` : ""}
              </td>
              <td>
                <StateWord
                  status={statusOfComponent(one.status)}
                  explained={one.status !== "up" && one.to !== cause && one.node_status !== "healthy"}
                >
                  {one.status}
                  {one.error ? `, ${one.error}` : one.latency_ms === null || one.status === "unknown" ? "" : `, ${latency(one.latency_ms)}`}
                </StateWord>
              </td>
              <td className={`${tables.opt} ${tables.word}`}>{othersSay(one.others)}</td>
              <td className={`${tables.opt} ${tables.word}`}>{one.node_status}</td>
              <td className={tables.num}>
                <Age checked={one.checked_at} fallback={one.age_ms} />
              </td>
            </tr>
          ))}
          {unmapped.map((one) => (
            <tr key={one.name}>
              <th scope="row">{one.name}</th>
              <td>not on the map</td>
              <td>
                <StateWord status={statusOfComponent(one.status)}>{one.status}</StateWord>
                {one.error && <span className="quiet">{one.error}</span>}
              </td>
              <td className={tables.opt}>–</td>
              <td className={tables.opt}>–</td>
              <td className={tables.num}>{one.age_ms === null ? "–" : age(one.age_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** What watching the node costs, and how late we can be. */
export function CostTable({ detail }: { detail: NodeDetail }) {
  const { cost } = detail;
  if (!cost) return null;
  const rate =
    cost.calls_per_second >= 10 ? cost.calls_per_second.toFixed(0) : cost.calls_per_second.toFixed(cost.calls_per_second >= 1 ? 1 : 2);
  const count = Math.max(1, detail.instances.length);
  const rows = [
    ["Calls", `${rate} a second, ${count} ${count === 1 ? "instance" : "instances"} every ${setting(cost.interval_ms)}`],
    ["Deadline", setting(cost.timeout_ms)],
    ["Worst staleness", setting(cost.worst_staleness_ms)],
    [
      "Worst detection",
      `${setting(cost.worst_detection_ms)}${cost.largest_component_age_ms ? `, and ${age(cost.largest_component_age_ms)} of their own checks` : ""}`,
    ],
  ] as const;
  return (
    <Section title="What watching costs">
      <table className={tables.table}>
        <tbody>
          {rows.map(([key, value]) => (
            <tr key={key}>
              <th scope="row" className={tables.key}>
                {key}
              </th>
              <td className={tables.num}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** Each address of the deep endpoint. */
export function InstanceTable({ detail }: { detail: NodeDetail }) {
  const { instances } = detail;
  if (instances.length === 0) return null;
  const healthy = instances.filter((one) => one.status === "healthy").length;
  const explained = isAccountedFor(detail.node);
  return (
    <Section title="Instances" aside={`${healthy} of ${instances.length} healthy`}>
      <table className={`${tables.table} ${tables.instances}`}>
        <tbody>
          {instances.map((one) => (
            <tr key={one.id}>
              <th scope="row" title={one.url}>
                {one.id}
              </th>
              <td>
                <StateWord status={one.status} explained={explained}>
                  {lookOf(one.status).word}
                  {one.phase ? `, ${one.phase}` : ""}
                  {one.error ? `, ${one.error}` : one.http_status !== null ? `, ${one.http_status}` : ""}
                </StateWord>
              </td>
              <td className={tables.num}>{ms(one.latency_ms)}</td>
              <td className={tables.num}>
                <Age checked={one.last_poll} fallback={one.age_ms} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
