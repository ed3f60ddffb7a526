/** Names of checks in the words of the common libraries by which a process speaks of itself, letters and digits alone. */
const OF_ITSELF = new Set(
  "alive app application build cpu deadlocks disk diskspace eventloop eventlooplag filedescriptors filesystem gc goroutines heap hostname info live liveness livenessstate memory memoryheap memoryrss ping process readiness readinessstate ready refreshscope rss self ssl threaddeadlock threads uptime version".split(
    " ",
  ),
);

/** Whether a component, by its name, says how the process itself is: nobody depends on it. */
export function isOfItself(name: string): boolean {
  return OF_ITSELF.has(name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ""));
}
