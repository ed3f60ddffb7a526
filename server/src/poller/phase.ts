/**
 * The fixed place of an instance within its interval: whole milliseconds in [0, interval), the same in every process
 * and for every neighbour, spread evenly whatever the ids look like.
 */
export function phaseOf(id: string, interval: number): number {
  return Math.floor((hash(id) / 2 ** 32) * interval);
}

/** The first time at or after `from` that lies on the phase; epoch milliseconds, so that a restart keeps the rhythm. */
export function nextOnPhase(from: number, phase: number, interval: number): number {
  return Math.ceil((from - phase) / interval) * interval + phase;
}

/** FNV-1a with a final avalanche: ids that differ in one digit land far apart. Unsigned 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
