export function LabelsPage() {
  return <p>Labels</p>;
}
