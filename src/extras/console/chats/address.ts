import type { JsonObject } from "../../../core/schema/json.ts";

/** The longest request that stands in an address, in characters. Browsers refuse addresses beyond a few megabytes. */
const longestBody = 50_000;

/**
 * The parts of an address that opens Chats with a request. The address leaves out a long request: the journal finds
 * it by `name`.
 */
export function placeOf(
  body: JsonObject,
  name: string,
): { readonly body: string; readonly from: string } {
  const text = JSON.stringify(body);
  return text.length > longestBody ? { body: "", from: name } : { body: text, from: "" };
}
