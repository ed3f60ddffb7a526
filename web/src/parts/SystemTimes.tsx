import { Link } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useAvailability, useDayStrips } from "../api/pastQueries.ts";
import { percent, round } from "../model/stats.ts";
import { NINETY_DAYS } from "../model/strip.ts";
import type { SystemView } from "../model/types.ts";
import { Section } from "./Section.tsx";
import { Strip } from "./Strip.tsx";
import tables from "./table.module.css";

/** How long each system was up, down, degraded and unseen in the range; and its ninety days. */
export function SystemTimes({ days }: { days: number }) {
  const systems = useBoard()?.systems;
  return (
    <Section title="Availability of systems" aside="up and degraded time over seen time">
      <table className={`${tables.table} ${tables.times}`}>
        <thead>
          <tr>
            <th>system</th>
            <th className={tables.opt}>90 days</th>
            <th className={tables.num}>available</th>
            <th className={tables.num}>down</th>
            <th className={`${tables.num} ${tables.opt}`}>degraded</th>
            <th className={tables.num}>unseen</th>
            <th className={`${tables.num} ${tables.opt}`}>announced</th>
          </tr>
        </thead>
        <tbody>
          {systems?.map((system) => (
            <SystemRow key={system.id} system={system} days={days} />
          ))}
        </tbody>
      </table>
      {systems?.length === 0 && <p className="quiet">The map names no system.</p>}
    </Section>
  );
}

/** In place of what is asked for. */
const WAITING = <i>…</i>;

function SystemRow({ system, days }: { system: SystemView; days: number }) {
  const data = useAvailability("system", system.id, days).data;
  const strips = useDayStrips().data;
  const from = strips ? Date.parse(strips.from) : 0;
  return (
    <tr>
      <th scope="row">
        <Link href={`/?system=${encodeURIComponent(system.id)}`} data-cursor="">
          {system.name}
        </Link>
      </th>
      <td className={`${tables.strip} ${tables.opt}`}>
        <Strip cells={strips?.systems[system.id]} from={from} to={strips ? Date.parse(strips.to) : 1} time={NINETY_DAYS} width={180} />
      </td>
      <td className={tables.num}>{!data ? WAITING : data.availability === null ? "not seen" : percent(data.availability)}</td>
      <td className={tables.num}>{data ? round(data.down_ms) : WAITING}</td>
      <td className={`${tables.num} ${tables.opt}`}>{data ? round(data.degraded_ms) : WAITING}</td>
      <td className={tables.num}>{data ? round(data.unseen_ms) : WAITING}</td>
      <td className={`${tables.num} ${tables.opt}`}>{data ? round(data.maintenance_ms) : WAITING}</td>
    </tr>
  );
}
