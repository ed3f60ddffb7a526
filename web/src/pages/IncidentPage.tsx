export function IncidentPage({ id }: { id: number }) {
  return <p>{id}</p>;
}
