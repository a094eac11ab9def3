import type { Reply } from "../http/reply.ts";

/** What a step hands to the next one, or the reply where the call goes no further. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reply: Reply };

export function taken<Value>(value: Value): Outcome<Value> {
  return { ok: true, value };
}

export function stopped(reply: Reply): { readonly ok: false; readonly reply: Reply } {
  return { ok: false, reply };
}
