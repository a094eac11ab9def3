/** The ways in which an answer can end for its client. */
export const answerEnds = [
  /** The answer came whole, with a status below 400. */
  "complete",
  /** The answer ended cleanly, but too soon. */
  "cut",
  /** The connection broke. */
  "reset",
  /** The answer stopped, and the connection stayed open. */
  "stalled",
  /** The connection stayed open, but nothing was sent, not even a status. */
  "hung",
  /** The answer came whole, but an event or its body is not JSON. */
  "malformed",
  /** The answer came whole, but one event came twice. */
  "duplicated",
  /** The answer lacks the mark of its end: the finish reason, or `[DONE]`. */
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
