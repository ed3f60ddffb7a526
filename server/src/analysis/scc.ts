/** A node on its way: how many of its targets were followed, when it was met, and the earliest that it leads back to. */
interface Visit<N> {
  node: N;
  at: number;
  order: number;
  low: number;
  open: boolean;
}

/**
 * Groups nodes that reach each other (strongly connected components), each after all that it leads to. Iterative, so a
 * long chain is no deep recursion. `target`: where a node leads to, by number from 0 on; undefined after the last.
 */
export function circlesOf<N>(nodes: Iterable<N>, target: (node: N, number: number) => N | undefined): N[][] {
  const visits = new Map<N, Visit<N>>();
  const stack: Visit<N>[] = [];
  const circles: N[][] = [];
  const enter = (node: N): Visit<N> => {
    const visit = { node, at: 0, order: visits.size, low: visits.size, open: true };
    visits.set(node, visit);
    stack.push(visit);
    return visit;
  };
  for (const start of nodes) {
    if (visits.has(start)) continue;
    const walk = [enter(start)];
    for (let visit = walk.at(-1); visit; visit = walk.at(-1)) {
      const next = target(visit.node, visit.at++);
      if (next !== undefined) {
        const met = visits.get(next);
        if (!met) walk.push(enter(next));
        else if (met.open && met.order < visit.low) visit.low = met.order;
        continue;
      }
      walk.pop();
      const parent = walk.at(-1);
      if (parent && visit.low < parent.low) parent.low = visit.low;
      if (visit.low === visit.order) circles.push(close(stack, visit));
    }
  }
  return circles;
}

/** Takes a circle off the stack, from its newest member down to the first that was met; mostly that is one and the same. */
function close<N>(stack: Visit<N>[], first: Visit<N>): N[] {
  const newest = stack.pop() ?? first;
  newest.open = false;
  const circle = [newest.node];
  for (let member = newest; member !== first; ) {
    member = stack.pop() ?? first;
    member.open = false;
    circle.push(member.node);
  }
  return circle;
}
