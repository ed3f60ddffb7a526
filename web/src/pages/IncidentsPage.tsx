export function IncidentsPage() {
  return <p>Incidents</p>;
}
