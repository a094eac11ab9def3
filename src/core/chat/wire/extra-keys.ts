import { asObject, parseJson } from "../../schema/json.ts";

/** The text of a JSON object, with more keys added. They replace keys of the same name. */
export function withKeys(text: string, more: object | undefined): string {
  return more === undefined ? text : JSON.stringify({ ...asObject(parseJson(text)), ...more });
}
