import type { RecordedAnswer } from "../../../../core/replay/cassette.ts";
import { asObject, isPresent } from "../../../../core/schema/json.ts";
import type { ScriptError, ScriptReply } from "../../../../core/chat/scripts/script.ts";
import { usualKind } from "../../../../core/chat/complete-chat.ts";
import type { Remark } from "./choice-script.ts";
import { waitOf } from "./said-pace.ts";

/** An error as an answer or an event has it. */
type SaidError = Omit<ScriptError, "status" | "retryAfterMs">;

/** The error in the envelope of the interface; undefined when there is none. */
export function errorIn(body: unknown): SaidError | undefined {
  const given = asObject(body)?.["error"];
  if (typeof given === "string") return { message: given };
  const error = asObject(given);
  if (error === undefined) return undefined;
  const { message, type, code, param } = error;
  return {
    message: typeof message === "string" ? message : JSON.stringify(message ?? given),
    ...(typeof type === "string" ? { type } : {}),
    ...(code === undefined ? {} : { code: isPresent(code) ? codeText(code) : null }),
    ...(typeof param === "string" ? { param } : {}),
  };
}

/** Some services have a number, which a script cannot say. */
function codeText(code: unknown): string {
  return typeof code === "string" ? code : JSON.stringify(code);
}

/** Headers that tell clients what to do about an error. */
const kept = ["x-should-retry"];

/** The reply of a script that fails as a service did. */
export function errorScript(
  answer: RecordedAnswer,
  { value, text }: { readonly value: unknown; readonly text: string },
  remark: Remark,
): ScriptReply {
  const { status, headers } = answer;
  const found = errorIn(value);
  if (found === undefined)
    remark("the error is not in the usual envelope: its text became the message");
  const { message, ...kind }: SaidError = found ?? { message: text };
  const retryAfterMs = retryAfterOf(headers);
  const named = kept.flatMap((name): [string, string][] => {
    const header = headers[name];
    return header === undefined ? [] : [[name, header]];
  });
  return {
    error: {
      status,
      message,
      ...withoutUsual(kind, status),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
    ...(named.length === 0 ? {} : { headers: Object.fromEntries(named) }),
    ...waitOf(answer.end?.atMs ?? answer.afterMs),
  };
}

/** What a script says without being told is left out. */
function withoutUsual(
  kind: Omit<SaidError, "message">,
  status: number,
): Omit<SaidError, "message"> {
  const usual = usualKind(status);
  const { type, param } = kind;
  const { code = null } = kind;
  return {
    ...(type === undefined || type === usual.type ? {} : { type }),
    ...(code === usual.code ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  };
}

/** How long clients are told to wait. A date says nothing later on. */
function retryAfterOf(headers: RecordedAnswer["headers"]): number | undefined {
  const [ms, seconds] = [headers["retry-after-ms"], headers["retry-after"]].map(numberIn);
  return ms ?? (seconds === undefined ? undefined : seconds * 1000);
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}
