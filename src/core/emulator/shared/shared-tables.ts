/**
 * Tables that are kept elsewhere, where several processes share them. The base session's database is a copy, which is
 * brought up to date before an answer is made of it.
 */
export interface SharedTables {
  /** Answers out of a copy that has whatever was written before. */
  readonly read: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /** Answers while nobody else writes. What that does to the rows holds when this resolves. */
  readonly write: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /**
   * What to tell a client where one of the two rejects since the tables cannot be had: without where they are, which the
   * log says. Undefined: it is for another reason.
   */
  readonly unreachable: (error: unknown) => string | undefined;
}

/** Why there are no sessions beside tables that are shared. */
export const noSessions: string =
  "The tables are shared by several processes, and there is one state of them only, that of the base session. " +
  "Give each test a schema of its own (--tables postgres://…?schema=name), or start without --tables.";
