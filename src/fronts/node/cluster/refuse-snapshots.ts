import type { Core } from "../../../core/emulator/core.ts";
import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";
import { jsonReply } from "../../../core/http/reply.ts";
import { variedCall } from "./sent-call.ts";

const message =
  "Cannot keep a snapshot under a name: with --workers each worker would have its own. " +
  "Start without --workers, or copy a state by GET and PUT /__backlot/state.";

/** Answers calls to snapshots, which are in no worker. Who may not ask is told so. */
export async function refuseSnapshots(core: Core, call: Call): Promise<Exchange> {
  const exchange = await core.handle(
    variedCall(call, { method: "GET", path: "/__backlot/snapshots" }),
  );
  const { status } = exchange.reply;
  if (status !== 200 || call.method === "GET") return exchange;
  const reply = jsonReply(501, { error: { message, code: "not_with_workers" } });
  return { reply, settle: exchange.settle };
}
