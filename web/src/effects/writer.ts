import { useState } from "react";
import { useSession } from "../api/sessionQueries.ts";
import { changeSettings, useSettings } from "./settings.ts";

export interface Writer {
  /** Whether the server does not know who writes, so that the page asks. */
  asks: boolean;
  /** Whether a name is remembered from an earlier write. */
  named: boolean;
  name: string;
  setName(name: string): void;
  /** What goes along with a write; the name is remembered for the next one. */
  sign(): { name?: string };
}

/** Who writes: by login, else by the name that people give themselves. */
export function useWriter(): Writer {
  const settings = useSettings();
  const asks = !useSession().data?.user?.name;
  // Until somebody types here it is the name as it was last given, wherever that was.
  const [typed, setName] = useState<string | null>(null);
  const name = typed ?? settings.name;
  return {
    asks,
    named: settings.name !== "",
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
