/**
 * Every weight of the verdict, in points. A point is a natural log-odds: an explanation that is one point dearer is
 * about 2.7 times less likely. The sum over causes, links of the explanation and statements set aside is its price;
 * the cheapest explanation is the verdict, and how much dearer the next one is gives the confidence.
 */
export const WEIGHTS = {
  // What it costs to name a cause. Two independent faults in the same minutes are rare: about 1 in 150 (5 points).
  /** The service itself reports trouble that no reported dependency accounts for: the most direct evidence there is. */
  ownFault: 4,
  /** Only its callers say so. */
  blamedFault: 5,
  /** One dependent's path, pool or credentials to what others can use: as rare as a node, and one step less usual. */
  localFault: 5.5,
  /** Each further dependency in the same local fault: one egress that fails takes several links with it. */
  furtherLink: 0.7,
  /** A dependency of a local fault that nobody else can vouch for might as well be down itself. */
  unseenTarget: 2.2,
  /** Nobody reports it at all; it is known only by what those that need it have in common. */
  hiddenFault: 6,
  /** It does not answer us, and nobody tells of it: that its silence is explained as well makes it likelier than a fault apart. */
  muteFault: 3,
  /** Announced work is expected to explain what it touches. */
  announcedFault: 3,

  // What it costs to say "A suffers from B".
  /** A reports B bad: one hop, nearly free, so that the deepest observed failure wins. */
  reported: 0.1,
  /** A does not say anything fresh about B (1 in 2 reports are incomplete or late somewhere). */
  unreported: 0.7,
  /** A says B is up, checked after B had failed: shallow and cached checks make this 1 in 7. */
  contradicted: 2,
  /** A failed for certain before B was last seen good. Clocks and late reports are worth a doubt, no more. */
  tooEarly: 1.5,
  /** A itself still found B up when it was in trouble already: its own eyes, of which only a cached check is wrong (1 in 9). */
  foundUp: 2.2,
  /** All soft dependencies down together can break a service, though none of them alone may. */
  allSoftDown: 1,
  /** Prefer the harder edge where both explain. */
  softEdge: 0.05,

  // What speaks for a node that its callers blame.
  /** One other caller sees it up, checked no earlier than the blame began. */
  seenUp: 2,
  /** However many see it up: a fault may hit only part of its callers (a shard, a zone, a certificate). */
  seenUpAtMost: 8,
  /** Its own "healthy": shallow self-checks are common, so little. */
  saysHealthy: 0.4,
  /** It calls itself healthy, and no caller got further than its name: that fails on the caller's side, or for all callers (4 of 5). */
  neverAsked: 1.5,
  /** The one that blames it calls itself healthy although it needs it hard or soft: 1 in 3 such services is shallow. */
  doubtfulWitness: 1.2,

  // What it costs to set a bad statement aside as a mistake.
  /** By a reporter that is in trouble itself: as dear as naming its link. */
  dismissed: 5.5,
  /** By a reporter whose trouble began with this and another, explained reason: between a gray failure and an unseen one. */
  dismissedTogether: 5.2,
  /** By a reporter that had another, explained reason before: a wrong entry is likelier than a second fault, once. */
  dismissedBeside: 4.6,
  /** Its target does not answer us either: silence is half a witness. */
  silentTarget: 1.5,
  /** By a reporter that calls itself healthy: single wrong entries are about 1 in 50. */
  dismissedDoubtful: 3.9,
  /** Over an informational edge, where the reporter's health says nothing either way. */
  dismissedInformational: 5.2,
  /** Each further result that repeats it, up to four: mistakes do not last. */
  repeated: 1.5,
  repeatsCounted: 4,
  /** Results in a row after which nothing is a mistake: the usual damping. */
  lasting: 3,

  /** What was said before a recovery holds all the same: it spoke of another fault as well (about 1 in 7). */
  oldWord: 2,

  // What a hidden shared cause must pay for.
  /** Someone who needs it hard and is fine: it should suffer too. */
  unaffectedDependent: 0.5,
  /** "The target answered with an error" does not look like a broken path. */
  targetAnswered: 1,
  /** A target that nobody vouches for is likelier to be down itself. */
  targetUnseen: 2.5,
  /** A healthy node that must have carried a failure on without showing it. */
  silentCarrier: 0.4,
} as const;

/** Where confidence words begin. */
export const CONFIRMED = 0.9;
export const LIKELY = 0.65;
