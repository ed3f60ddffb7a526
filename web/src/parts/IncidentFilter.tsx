import { useBoard } from "../api/boardQueries.ts";
import { SEVERITY_WORDS } from "../model/headline.ts";
import type { IncidentPick } from "../model/history.ts";
import { Pick } from "./FilterBar.tsx";

/** Team, system and severity, as words. */
export function IncidentFilter({ pick, onPick }: { pick: IncidentPick; onPick: (key: keyof IncidentPick, value: string | null) => void }) {
  const board = useBoard();
  const teams = [...new Set(board?.nodes.flatMap((node) => (node.team === null ? [] : [node.team])))];
  const systems = board?.systems ?? [];
  return (
    <>
      {teams.length > 0 && (
        <Pick label="team" value={pick.team} options={teams.map((team) => [team, team])} onPick={(value) => onPick("team", value)} />
      )}
      {systems.length > 0 && (
        <Pick
          label="system"
          value={pick.system}
          options={systems.map((system) => [system.id, system.name])}
          onPick={(value) => onPick("system", value)}
        />
      )}
      <Pick label="severity" value={pick.severity} options={Object.entries(SEVERITY_WORDS)} onPick={(value) => onPick("severity", value)} />
    </>
  );
}
