export function HistoryPage() {
  return <p>History</p>;
}
