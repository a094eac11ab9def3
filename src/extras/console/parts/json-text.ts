import { failed, ok, type Result } from "../../../core/errors/result.ts";

/** Reads JSON that the user typed, or says why it is none. */
export function parseTypedJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}
