export function MapPage() {
  return <p>Map</p>;
}
