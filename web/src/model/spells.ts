import type { NodeHistory } from "headwater/contract";
import { lookOf } from "./status.ts";
import type { Cell } from "./strip.ts";

type Span = NodeHistory["spans"][number];

function kindOf({ status }: Pick<Span, "status">): "good" | "trouble" | "unknown" | "gap" {
  if (status === "no_data") return "gap";
  const { word } = lookOf(status);
  return word === "healthy" ? "good" : word === "unknown" ? "unknown" : "trouble";
}

/**
 * A node's spans in words: times of trouble, however many steps from bad to worse and back each had, and apart from them
 * the times that nobody can tell of; empty where there are no spans.
 */
export function spellWords(spans: readonly Pick<Span, "status">[]): string {
  const kinds = spans.map(kindOf);
  const count = (kind: ReturnType<typeof kindOf>): number => kinds.filter((one, index) => one === kind && kinds[index - 1] !== kind).length;
  const times = (number: number): string => `${number} ${number === 1 ? "time" : "times"}`;
  const [trouble, unknown, gaps] = [count("trouble"), count("unknown"), count("gap")];
  const seen = trouble > 0 || kinds.includes("good");
  const parts = [
    ...(trouble > 0 ? [`${times(trouble)} of trouble`] : seen && unknown + gaps > 0 ? ["no trouble seen"] : []),
    ...(unknown > 0 ? [`${times(unknown)} unknown`] : []),
    ...(gaps > 0 ? [`${gaps} ${gaps === 1 ? "gap" : "gaps"} without data`] : []),
  ].join(", ");
  return parts === "" ? (seen ? "Healthy all the time." : "") : parts.charAt(0).toUpperCase() + parts.slice(1);
}

/** Nothing was seen before yesterday, the last day but one of these. */
export const isYoung = (days: readonly Cell[]): boolean => days.slice(0, -2).every((cell) => cell === null);
