/** Tables that several processes share. The base session's database is a copy, which is updated before each answer. */
export interface SharedTables {
  /** Answers from a copy that has all earlier writes. */
  readonly read: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /** Answers while nobody else writes. Its changes are permanent when this resolves. */
  readonly write: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /**
   * The message for clients when one of the two rejects because the tables are unavailable. It does not say where
   * they are; the log does. Undefined: another reason.
   */
  readonly unreachable: (error: unknown) => string | undefined;
  /** What a developer does who needs what shared tables cannot have. */
  readonly advice: SharedTablesAdvice;
}

/** Sentences that follow the reason of a refusal. */
export interface SharedTablesAdvice {
  /** Only the base session exists. */
  readonly sessions: string;
  /** No state can be imported. */
  readonly imports: string;
}

/** Why shared tables allow no sessions. */
export function noSessions({ sessions }: SharedTablesAdvice): string {
  return `The tables are shared by several processes, so only the base session exists. ${sessions}`;
}
