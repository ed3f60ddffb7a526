export function ConfigPage() {
  return <p>Config</p>;
}
