import { setImmediate } from "node:timers/promises";
import { randomFromSeed } from "../../src/core/emulator/environment.ts";
import * as chats from "./chat-actions.ts";
import type { Client } from "./client.ts";
import * as control from "./control-actions.ts";
import { Surprise } from "./expect.ts";
import { fault } from "./fault-actions.ts";
import * as planned from "./planned-actions.ts";
import * as tables from "./table-actions.ts";
import { Visitor } from "./visitor.ts";

type Action = (visitor: Visitor) => Promise<void>;

/** How often each is chosen, of the sum of all. */
const shares: readonly (readonly [Action, number])[] = [
  [tables.readByKey, 20],
  [tables.readPages, 10],
  [tables.search, 5],
  [tables.insert, 8],
  [tables.change, 6],
  [tables.remove, 6],
  [tables.makeMistake, 4],
  [tables.meet, 3],
  [chats.chat, 8],
  [chats.chatCounted, 4],
  [chats.chatMistake, 1],
  [chats.stream, 4],
  [chats.leaveStream, 4],
  [chats.addScript, 2],
  [fault, 5],
  [planned.planFault, 3],
  [planned.snapshot, 1],
  [planned.watchJournal, 0.5],
  [control.readJournal, 2],
  [control.reset, 2],
  [control.resetBase, 0.5],
  [control.replaceTable, 1],
  [control.carryState, 0.1],
  [control.forget, 1],
  [control.move, 4],
];

const allShares = shares.reduce((sum, [, share]) => sum + share, 0);

/** How much was done, and what was not as planned. */
export interface Load {
  readonly counts: ReadonlyMap<string, number>;
  readonly surprises: readonly string[];
}

/** What `runLoad` is told. */
export interface LoadOptions {
  readonly seed: number;
  readonly visitors: number;
  readonly signal: AbortSignal;
}

/** Loads the server until it is told to stop; resolves when every visitor is done. */
export async function runLoad(client: Client, options: LoadOptions): Promise<Load> {
  const { seed, visitors, signal } = options;
  const counts = new Map<string, number>();
  const surprises: string[] = [];
  const visit = async (number: number): Promise<void> => {
    const random = randomFromSeed(seed * 1000 + number);
    const visitor = new Visitor(`visitor-${number}`, client, random);
    while (!signal.aborted) {
      const action = chooseAction(random.next());
      counts.set(action.name, (counts.get(action.name) ?? 0) + 1);
      try {
        await action(visitor);
      } catch (error) {
        surprises.push(describe(action, visitor, error));
        visitor.move();
      }
      // An action that asks nothing must not keep the others waiting.
      await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: visitors }, (_, number) => visit(number)));
  return { counts, surprises };
}

function chooseAction(chance: number): Action {
  let left = chance * allShares;
  for (const [action, share] of shares) {
    left -= share;
    if (left < 0) return action;
  }
  return tables.readByKey;
}

function describe(action: Action, visitor: Visitor, error: unknown): string {
  const what =
    error instanceof Surprise ? error.message : error instanceof Error ? error.stack : error;
  return `${action.name} in ${visitor.session}: ${String(what)}`;
}
