import type { ChatError } from "../errors.ts";
import type { Fault } from "../scripts/script.ts";

/** The error of a fault of the kind `error`: what the script says, else a server error. */
export function faultError({ error }: Fault): ChatError {
  return {
    status: 500,
    message:
      error?.message ?? "The server had an error while it processed your request. Please retry.",
    type: error?.type ?? "server_error",
    param: error?.param ?? null,
    code: error?.code ?? null,
  };
}
