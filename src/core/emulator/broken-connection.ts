/** Where the connection breaks: before the answer's head, or in its body. */
type Place = "head" | "body";

/** The messages that undici's fetch has for them, which some clients compare. */
const messages: Readonly<Record<Place, string>> = { head: "fetch failed", body: "terminated" };

const resets = new WeakSet<object>();

/** What `fetch` fails with when a connection breaks. Clients look at the cause's code to tell whether to try again. */
export function brokenConnection(place: Place): TypeError {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const error = new TypeError(messages[place], { cause });
  resets.add(error);
  return error;
}

/** Whether an error is one of these, and so no failure of the emulator. */
export function isBrokenConnection(error: unknown): boolean {
  return typeof error === "object" && error !== null && resets.has(error);
}
