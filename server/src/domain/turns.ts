/** Work that others need not wait for to its end: where it yields, they may have a turn. */
export type Turns<T> = Generator<void, T>;

/** So many nodes are worked on in one turn: a few milliseconds. */
export const NODES_A_TURN = 500;

/** Does all of it now. */
export function atOnce<T>(work: Turns<T>): T {
  let next = work.next();
  while (!next.done) next = work.next();
  return next.value;
}
