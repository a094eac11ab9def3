import type { JsonObject } from "../../../core/schema/json.ts";

/** The longest request that stands in an address, in characters. Browsers refuse addresses beyond a few megabytes. */
const longestBody = 50_000;

/** The state of Chats, as an address has it, that begins with a request. `name` is what the journal finds it by. */
export function placeOf(
  body: JsonObject,
  name: string,
): { readonly body: string; readonly from: string } {
  const text = JSON.stringify(body);
  return text.length > longestBody ? { body: "", from: name } : { body: text, from: "" };
}
