/** What every observation has in common that brought a report with 200; its report, time and instance come beside it. */
export const ANSWERED = {
  outcome: "report",
  httpStatus: 200,
  format: "headwater",
  error: null,
  date: null,
  httpAge: null,
  warnings: [],
  body: null,
} as const;
