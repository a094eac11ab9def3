import type { Connection, Session } from "./connection.ts";
import { Deadline } from "./deadline.ts";

const turnMs = 8_000;

/** Acts once something is taken. Who waits too long for that is told so, and does not act at all. */
export function transactSoon<Taken, Result>(
  connection: Connection,
  take: (session: Session) => Promise<Taken>,
  act: (session: Session, taken: Taken) => Promise<Result>,
): Promise<Result> {
  const turn = new Deadline(turnMs);
  const acted = connection.transaction().execute(async (session) => {
    const taken = await take(session);
    turn.meet();
    return act(session, taken);
  });
  return turn.race(acted);
}
