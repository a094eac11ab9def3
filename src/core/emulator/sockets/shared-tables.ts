import type { StepAside } from "../../http/step-aside.ts";

/** Tables that several processes share. The base session's database is a copy that is updated before each answer. */
export interface SharedTables {
  /** Answers from a copy that includes all earlier writes. While the answer steps aside, others have their turn. */
  readonly read: <Result>(answer: (aside: StepAside) => Promise<Result>) => Promise<Result>;
  /** Answers while nobody else writes. Its changes are permanent when this resolves. */
  readonly write: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /**
   * The message for clients when `read` or `write` rejects because the tables are unavailable; undefined for other
   * errors. It does not say where the tables are; the log does.
   */
  readonly unreachable: (error: unknown) => string | undefined;
  /** Advice for developers who need what shared tables do not allow. */
  readonly advice: SharedTablesAdvice;
}

/** Sentences that follow the reason of a refusal and say what to do instead. */
export interface SharedTablesAdvice {
  /** For sessions besides the base session. */
  readonly sessions: string;
  /** For importing a state. */
  readonly imports: string;
}

/** Why shared tables allow no sessions. */
export function noSessions({ sessions }: SharedTablesAdvice): string {
  return `The tables are shared by several processes, so only the base session exists. ${sessions}`;
}
