import { EmulatorError } from "../../core/errors/emulator-error.ts";

/** A name as one segment of a path. Throws `ERR_OPTION_INVALID` for one that no URL can have there. */
export function nameInPath(name: string): string {
  // Clients take the dots for folders, and half a character has no bytes.
  const isUnsayable = name === "" || name === "." || name === ".." || /\p{Cs}/u.test(name);
  if (!isUnsayable) return encodeURIComponent(name);
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot ask a server for ${JSON.stringify(name)}: no URL can have that name. Use another one.`,
  );
}
