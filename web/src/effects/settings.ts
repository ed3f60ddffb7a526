import { useSyncExternalStore } from "react";
import { now } from "../api/now.ts";
import { type Clock, makeClock } from "../model/time.ts";

type Theme = "system" | "light" | "dark";

interface Settings {
  theme: Theme;
  utc: boolean;
  /** Under which acknowledgements and notes are made where the server does not know who it is. */
  name: string;
}

const KEY = "headwater";
const listeners = new Set<() => void>();

function read(): Settings {
  const fallback: Settings = { theme: "system", utc: false, name: "" };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
    return {
      theme: stored.theme === "light" || stored.theme === "dark" ? stored.theme : "system",
      utc: stored.utc === true,
      name: typeof stored.name === "string" ? stored.name.slice(0, 80) : "",
    };
  } catch {
    return fallback;
  }
}

let settings = read();
let clock = makeClock(settings.utc, now);

function applyTheme(): void {
  const root = document.documentElement;
  root.classList.toggle("theme-light", settings.theme === "light");
  root.classList.toggle("theme-dark", settings.theme === "dark");
}
applyTheme();

/** Changes some settings and remembers them where the browser allows. */
export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change };
  clock = makeClock(settings.utc, now);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that stores nothing forgets; the page works all the same.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, () => settings);
}

/** Formats times in the zone that the reader chose. */
export function useClock(): Clock {
  return useSyncExternalStore(subscribe, () => clock);
}

export function toggleUtc(): void {
  changeSettings({ utc: !settings.utc });
}

/** Light from dark and dark from light, starting from what is seen now. */
export function toggleTheme(): void {
  const dark = settings.theme === "dark" || (settings.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  changeSettings({ theme: dark ? "light" : "dark" });
}
