/**
 * Groups nodes that reach each other (strongly connected components), each after all that it leads to. Iterative, so a
 * long chain is no deep recursion.
 */
export function circlesOf<N>(nodes: readonly N[], next: (node: N) => readonly N[]): N[][] {
  const order = new Map<N, number>();
  const low = new Map<N, number>();
  const stack: N[] = [];
  const onStack = new Set<N>();
  const circles: N[][] = [];
  const enter = (node: N): { node: N; targets: readonly N[]; at: number } => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    stack.push(node);
    onStack.add(node);
    return { node, targets: next(node), at: 0 };
  };
  const lower = (node: N, to: number): void => {
    if (to < (low.get(node) ?? to)) low.set(node, to);
  };
  for (const start of nodes) {
    if (order.has(start)) continue;
    const walk = [enter(start)];
    for (let frame = walk.at(-1); frame; frame = walk.at(-1)) {
      const target = frame.targets[frame.at++];
      if (target !== undefined) {
        if (!order.has(target)) walk.push(enter(target));
        else if (onStack.has(target)) lower(frame.node, order.get(target) ?? 0);
        continue;
      }
      walk.pop();
      const { node } = frame;
      const parent = walk.at(-1);
      if (parent) lower(parent.node, low.get(node) ?? 0);
      if (low.get(node) !== order.get(node)) continue;
      const circle: N[] = [];
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        onStack.delete(member);
        circle.push(member);
        if (member === node) break;
      }
      circles.push(circle);
    }
  }
  return circles;
}
