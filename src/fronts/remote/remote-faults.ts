import type { PlannedFaults } from "../../core/emulator/faults/planned-faults.ts";
import type { AskControl } from "./control-client.ts";
import { nameInPath } from "./name-in-path.ts";

type Rule = Parameters<PlannedFaults["add"]>[0];
type Planned = ReturnType<PlannedFaults["add"]>;

/** What goes wrong with the requests to come in a server's session. */
export interface RemoteFaults {
  /** Plans a fault behind those that are there, and gives it with its id. Rejects with `ERR_FAULT_REFUSED`. */
  readonly add: (rule: Rule) => Promise<Planned>;
  /** In the order in which they are tried, without those that acted as often as they should. */
  readonly list: () => Promise<readonly Planned[]>;
  /** Takes a fault out. Rejects with `ERR_FAULT_REFUSED` when there is none of that id. */
  readonly remove: (id: string) => Promise<void>;
  /** Takes all out. */
  readonly clear: () => Promise<void>;
}

/** Reaches the planned faults of one session. What is cast is what the control API answers, which is our own. */
export function remoteFaults(ask: AskControl): RemoteFaults {
  return {
    add: async (body) => {
      const mistake = "ERR_FAULT_REFUSED";
      const what = "plan the fault";
      return (await ask({ method: "POST", path: "/faults", body, mistake, what })) as Planned;
    },
    list: async () => {
      const answer = await ask({ method: "GET", path: "/faults", what: "list the faults" });
      return (answer as { readonly faults: readonly Planned[] }).faults;
    },
    remove: async (id) => {
      const path = `/faults/${nameInPath(id)}`;
      await ask({ method: "DELETE", path, what: "remove the fault" });
    },
    clear: async () => {
      await ask({ method: "DELETE", path: "/faults", what: "take the faults out" });
    },
  };
}
