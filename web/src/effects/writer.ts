import { useState } from "react";
import { useSession } from "../api/queries.ts";
import { changeSettings, useSettings } from "./settings.ts";

export interface Writer {
  /** Whether the server does not know who writes, so that the page asks. */
  asks: boolean;
  name: string;
  setName(name: string): void;
  /** What goes along with a write; the name is remembered for the next one. */
  sign(): { name?: string };
}

/** Who writes: by login, else by the name that people give themselves. */
export function useWriter(): Writer {
  const settings = useSettings();
  const asks = !useSession().data?.user?.name;
  const [name, setName] = useState(settings.name);
  return {
    asks,
    name,
    setName,
    sign() {
      const said = name.trim();
      if (!asks) return {};
      changeSettings({ name: said });
      return said === "" ? {} : { name: said };
    },
  };
}
