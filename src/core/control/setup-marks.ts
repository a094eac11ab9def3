import type { CurrentSetup } from "../emulator/extras.ts";

/**
 * Values that tell whether the set-up of a session may have changed: rows, planned faults, scripts, sessions,
 * snapshots or fixtures. They are compared four times a second, so this must be cheap.
 */
export function setupMarks(
  { setup, fixtureProblem }: CurrentSetup,
  sessionId: string | undefined,
): readonly unknown[] {
  const { sessions, snapshots } = setup;
  const isThere = sessionId === undefined || sessions.has(sessionId);
  const { state } = isThere ? sessions.get(sessionId, false) : sessions.base;
  const { database, faults, scripts } = state;
  const tables = database.names();
  return [
    setup,
    fixtureProblem,
    isThere,
    sessions.version,
    snapshots.list().length,
    state,
    faults.list(),
    scripts.list(),
    ...tables,
    ...tables.map((name) => database.table(name)?.version),
  ];
}
