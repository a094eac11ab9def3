import { type ChatError, chatErrors } from "../../errors.ts";
import type { RequestRules } from "../request-rules.ts";
import { body } from "./body-shape.ts";
import { refuseOrder } from "./refuse-order.ts";
import { refuseTogether } from "./refuse-together.ts";

const json = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** A client that names no type is believed to send JSON. */
function refuseMediaType(type: string | undefined): ChatError | undefined {
  const named = type?.trim() ?? "";
  return named === "" || json.test(named) ? undefined : chatErrors.unsupportedMediaType(named);
}

/** As strict as the service whose interface this is. */
export const openaiRules: RequestRules = { refuseMediaType, body, refuseTogether, refuseOrder };
