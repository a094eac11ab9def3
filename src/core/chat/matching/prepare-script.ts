import type { Script } from "../scripts/script.ts";
import { type CompiledScript, compileScript } from "./compile-script.ts";

/** Prepared when first tried, so that a start with many scripts need not wait for it. */
const prepared = new WeakMap<Script, CompiledScript>();

/** A script, ready to be matched. Throws `ERR_SCRIPT_REFUSED` when it has problems. */
export function prepareScript(script: Script): CompiledScript {
  const known = prepared.get(script);
  if (known !== undefined) return known;
  const compiled = compileScript(script);
  prepared.set(script, compiled);
  return compiled;
}
