/** A node on its way: when it was met, the earliest that it leads back to, and how many of its targets were followed. */
interface Visit<N> {
  node: N;
  targets: readonly N[];
  at: number;
  order: number;
  low: number;
  open: boolean;
}

/**
 * Groups nodes that reach each other (strongly connected components), each after all that it leads to. Iterative, so a
 * long chain is no deep recursion.
 */
export function circlesOf<N>(nodes: readonly N[], next: (node: N) => readonly N[]): N[][] {
  const visits = new Map<N, Visit<N>>();
  const stack: Visit<N>[] = [];
  const circles: N[][] = [];
  const enter = (node: N): Visit<N> => {
    const visit = { node, targets: next(node), at: 0, order: visits.size, low: visits.size, open: true };
    visits.set(node, visit);
    stack.push(visit);
    return visit;
  };
  for (const start of nodes) {
    if (visits.has(start)) continue;
    const walk = [enter(start)];
    for (let visit = walk.at(-1); visit; visit = walk.at(-1)) {
      const target = visit.targets[visit.at++];
      if (target !== undefined) {
        const met = visits.get(target);
        if (!met) walk.push(enter(target));
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

/** Takes a circle off the stack, from its newest member down to the first that was met. */
function close<N>(stack: Visit<N>[], first: Visit<N>): N[] {
  const circle: N[] = [];
  for (let member = stack.pop(); member; member = member === first ? undefined : stack.pop()) {
    member.open = false;
    circle.push(member.node);
  }
  return circle;
}
