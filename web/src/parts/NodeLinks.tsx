/** Runbook, logs, dashboard and whatever else the map links a node to. */
export function NodeLinks({ links }: { links: Readonly<Record<string, string>> }) {
  return Object.entries(links).map(([word, href]) => (
    <a key={word} className="link" href={href} rel="noreferrer">
      {word.charAt(0).toUpperCase()}
      {word.slice(1)} ↗
    </a>
  ));
}
