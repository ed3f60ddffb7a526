export function WallPage() {
  return <p>Wall</p>;
}
