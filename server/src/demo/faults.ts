/** What can be done to a simulated service, and what it looks like from outside. */
export const SERVICE_FAULTS = {
  down: "the process is gone: connections are refused",
  hang: "takes every request and answers none",
  "cut-off": "works for everybody, but Headwater gets no answer",
  errors: "fails at its own work, and says so",
  lying: "fails at its own work, and calls itself healthy",
  leak: "loses connections of its own pool until none is left",
  slow: "answers, but only after three seconds",
  login: "sends its deep endpoint behind a login page",
  draining: "says that it is shutting down",
} as const;

/** What can be done to a simulated database, cache, queue or outside service. */
export const RESOURCE_FAULTS = {
  down: "refuses connections",
  slow: "answers later than anybody waits",
  flaky: "drops every second question",
} as const;

export type ServiceFault = keyof typeof SERVICE_FAULTS;
export type ResourceFault = keyof typeof RESOURCE_FAULTS;
export type Fault = ServiceFault | ResourceFault;

export function isServiceFault(word: string): word is ServiceFault {
  return Object.hasOwn(SERVICE_FAULTS, word);
}

export function isResourceFault(word: string): word is ResourceFault {
  return Object.hasOwn(RESOURCE_FAULTS, word);
}
