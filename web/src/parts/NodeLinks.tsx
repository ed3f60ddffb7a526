/** The team's own pages are told apart from the node's runbook. */
const WORDS: Readonly<Record<string, string>> = { runbooks: "team's runbooks" };

/** Runbook, logs, dashboard and whatever else the map links a node to. */
export function NodeLinks({ links }: { links: Readonly<Record<string, string>> }) {
  return Object.entries(links).map(([key, href]) => {
    const word = WORDS[key] ?? key;
    return (
      <a key={key} className="link" href={href} rel="noreferrer">
        {word.charAt(0).toUpperCase()}
        {word.slice(1)} ↗
      </a>
    );
  });
}
