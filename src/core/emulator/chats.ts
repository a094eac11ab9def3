import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import type { Script } from "../chat/scripts/script.ts";
import type { ScriptInput } from "../fixture-set/read-script.ts";
import type { Readers } from "./readers.ts";
import type { StateOwner } from "./state.ts";

/** The chat scripts, for code that runs beside the emulator. */
export interface ChatScripts {
  /** Adds a script before all others. Rejects with `ERR_SCRIPT_REFUSED` when it does not fit the format. */
  readonly add: (script: ScriptInput) => Promise<void>;
  /** Takes a script out. Throws `ERR_SCRIPT_REFUSED` when there is none of that name. */
  readonly remove: (name: string) => void;
  /** The scripts in the order in which they are tried. */
  readonly list: () => readonly Script[];
}

/** Scripts of the state that requests see. */
export function chatScripts(
  owner: StateOwner,
  { readScript }: Pick<Readers, "readScript">,
): ChatScripts {
  let unnamed = 0;
  /** A name for a script without one. Counted at once, so that scripts added at the same time differ. */
  const nextName = (): string => {
    const taken = new Set(owner.state.scripts.list().map((script) => script.name));
    do unnamed += 1;
    while (taken.has(`added ${unnamed}`));
    return `added ${unnamed}`;
  };
  return {
    add: async (input) => {
      const tables = owner.state.database.names();
      const script = await readScript(input, { defaultName: nextName(), tables });
      refuseTakenName(owner, script.name);
      owner.state.scripts.add(script);
    },
    remove: (name) => {
      if (owner.state.scripts.remove(name)) return;
      const names = owner.state.scripts.list().map((script) => script.name);
      throw new EmulatorError(
        "ERR_SCRIPT_REFUSED",
        `Cannot remove the script "${name}": there is none of that name.${didYouMean(name, names)}`,
      );
    },
    // Copies: those of the state are what requests are matched with, in all sessions.
    list: () => structuredClone(owner.state.scripts.list()),
  };
}

function refuseTakenName(owner: StateOwner, name: string): void {
  if (owner.state.scripts.list().every((script) => script.name !== name)) return;
  throw new EmulatorError(
    "ERR_SCRIPT_REFUSED",
    `Cannot add the script "${name}": another one has that name. Remove it first, or choose another name.`,
  );
}
