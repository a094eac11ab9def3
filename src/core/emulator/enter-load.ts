import { ChatLoad, type LoadRule, type Slot } from "../chat/load.ts";
import { bearerKey } from "../http/bearer-key.ts";
import type { ReceivedCall } from "./received-call.ts";

/** Gives a chat its place in its session, which it leaves when its exchange is over. */
// oxlint-disable-next-line max-params
export async function enterLoad(
  model: string,
  received: ReceivedCall,
  rules: readonly LoadRule[],
): Promise<Slot | undefined> {
  const { call, session } = received;
  session.load ??= new ChatLoad(rules, session.journal.all.now);
  const key = bearerKey(call.headers["authorization"]);
  const slot = await session.load.enter({ model, key, call });
  if (slot !== undefined) received.slot = slot;
  return slot;
}
