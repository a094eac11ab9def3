/** How an answer can end for its client. */
export const answerEnds = [
  /** Whole, with a status below 400. */
  "complete",
  /** Cleanly, but too soon. */
  "cut",
  /** The connection broke. */
  "reset",
  /** It stopped, and the connection stayed open. */
  "stalled",
  /** The connection stayed open, but nothing was sent, not even a status. */
  "hung",
  /** Whole, but with an event or a body that is not JSON. */
  "malformed",
  /** Whole, but with an event twice. */
  "duplicated",
  /** Without what marks its end: the finish reason, or `[DONE]`. */
  "noFinish",
  /** The client left before the end. */
  "aborted",
  /** A stream that ended with an error in place of the next event. */
  "failed",
  /** A whole answer with a status of 400 or more. */
  "refused",
] as const;

/** How an answer ended for its client. */
export type AnswerEnd = (typeof answerEnds)[number];
