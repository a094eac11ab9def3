import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "../api/client.ts";
import type { ConsoleSetup } from "../api/setup.ts";

/** The context of every view. */
export interface ConsoleTools {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  /** The last request that may have changed something. */
  readonly change: string;
  /** Reads the setup again, after a change that may affect it. */
  readonly reload: () => void;
  /** Announces an event to screen readers. */
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
