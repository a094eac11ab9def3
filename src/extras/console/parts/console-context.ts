import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "../api/client.ts";
import type { ConsoleSetup } from "../api/setup.ts";

/** What every view works with. */
export interface ConsoleTools {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  /** Reads the set-up again, after something that may have changed it. */
  readonly reload: () => void;
  /** Tells those who cannot see the page what has happened. */
  readonly announce: (text: string) => void;
}

export const ConsoleContext: Context<ConsoleTools | undefined> = createContext<
  ConsoleTools | undefined
>(undefined);

export function useConsole(): ConsoleTools {
  const tools = useContext(ConsoleContext);
  if (tools === undefined) throw new Error("A view is outside the console.");
  return tools;
}
