import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean, showText } from "../errors/show.ts";
import type { ScriptBook } from "../chat/scripts/script-book.ts";
import type { Script } from "../chat/scripts/script.ts";
import type { ScriptInput } from "../fixture-set/read-script.ts";
import type { Readers } from "./readers.ts";
import type { StateOwner } from "./state.ts";

/** The chat scripts, for code that runs beside the emulator. */
export interface ChatScripts {
  /**
   * Adds a script before all others. Rejects with `ERR_SCRIPT_REFUSED` for an invalid script, and with `ERR_ADDED_FULL`
   * where there is no room for it.
   */
  readonly add: (script: ScriptInput) => Promise<void>;
  /** Removes a script. Throws `ERR_SCRIPT_REFUSED` when there is none of that name. */
  readonly remove: (name: string) => void;
  /** The scripts in matching order. */
  readonly list: () => readonly Script[];
}

/** The scripts of the state that requests see. */
export function chatScripts(
  owner: StateOwner,
  { readScript }: Pick<Readers, "readScript">,
): ChatScripts {
  return {
    add: async (input) => {
      await addScript(owner, input, readScript);
    },
    remove: (name) => removeScript(owner, name),
    // Copies: the state's own scripts serve requests in all sessions.
    list: () => structuredClone(owner.state.scripts.list()),
  };
}

/** Validates a script and adds it before all others. Rejects with `ERR_SCRIPT_REFUSED` and `ERR_ADDED_FULL`. */
export async function addScript(
  owner: StateOwner,
  input: unknown,
  readScript: Readers["readScript"],
): Promise<Script> {
  const { scripts, database, added } = owner.state;
  for (;;) {
    const defaultName = freeName(scripts);
    const script = await readScript(input, { defaultName, tables: database.names() });
    // Another script, added in the meantime, may have taken the name.
    if (script.name === defaultName && freeName(scripts) !== defaultName) continue;
    scripts.add(script, added);
    return script;
  }
}

/** A name for a script without one. */
function freeName(scripts: ScriptBook): string {
  const taken = new Set(scripts.list().map(({ name }) => name));
  let number = 1;
  while (taken.has(`added ${number}`)) number++;
  return `added ${number}`;
}

/** Removes a script. Throws `ERR_SCRIPT_REFUSED` when there is none of that name. */
export function removeScript({ state: { scripts } }: StateOwner, name: string): void {
  if (scripts.remove(name)) return;
  const names = scripts.list().map((script) => script.name);
  throw new EmulatorError(
    "ERR_SCRIPT_REFUSED",
    `Cannot remove the script ${showText(name)}: there is none of that name.${didYouMean(name, names)}`,
  );
}
