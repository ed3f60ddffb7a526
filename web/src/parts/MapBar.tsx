import { useRef, useState } from "react";
import { exportSvg } from "../effects/exportSvg.ts";
import { useKey } from "../effects/keys.ts";
import { DEPTHS, DIRECTIONS, MAP_WORDS, type MapQuery } from "../model/mapQuery.ts";
import styles from "./filter.module.css";

/** Nodes that are offered while one types. */
const OFFERED = 100;

interface Props {
  query: MapQuery;
  nodes: readonly { id: string }[];
  /** Whether some failure has a path to show. */
  trouble: boolean;
  /** The node to begin with when somebody asks for the surroundings of one. */
  start: string | null;
  onGo: (changes: Record<string, string | null>) => void;
}

/** What the map shows and how: kinds of view, the node in the middle, list or picture. */
export function MapBar({ query, nodes, trouble, start, onGo }: Props) {
  const { view, focus, depth, direction, listed } = query;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const offered = nodes.filter((node) => node.id.includes(typed)).slice(0, OFFERED);
  useKey("/", () => input.current?.focus());
  return (
    <search className={styles.filter}>
      <input
        ref={input}
        list="map-nodes"
        aria-label="Show the surroundings of a node"
        placeholder="/ a node"
        key={focus}
        defaultValue={focus ?? ""}
        onChange={(event) => {
          setTyped(event.target.value);
          if (nodes.some((node) => node.id === event.target.value)) onGo({ view: "focus", focus: event.target.value });
        }}
      />
      <datalist id="map-nodes">
        {offered.map((node) => (
          <option key={node.id} value={node.id} />
        ))}
      </datalist>
      {MAP_WORDS.filter(([key]) => key !== "path" || trouble).map(([key, word]) => (
        <button
          type="button"
          key={key}
          aria-pressed={view === key}
          onClick={() => onGo({ view: key, ...(key === "focus" && !focus ? { focus: start } : {}) })}
        >
          {word}
        </button>
      ))}
      {view === "focus" && (
        <>
          <span className={styles.set}>
            depth
            {DEPTHS.map((one) => (
              <button type="button" key={one} aria-pressed={depth === one} onClick={() => onGo({ depth: one })}>
                {one}
              </button>
            ))}
          </span>
          <span className={styles.set}>
            {DIRECTIONS.map(([key, word]) => (
              <button type="button" key={key} aria-pressed={direction === key} onClick={() => onGo({ direction: key })}>
                {word}
              </button>
            ))}
          </span>
        </>
      )}
      <span className={styles.end}>
        {!listed && <span>A line: the left needs the right</span>}
        <button type="button" onClick={() => onGo({ list: listed ? "0" : "1" })}>
          {listed ? "Picture" : "List view"}
        </button>
        {!listed && (
          <button type="button" onClick={exportSvg}>
            Export SVG
          </button>
        )}
      </span>
    </search>
  );
}
