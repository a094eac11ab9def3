import type { FrameKind } from "./frames.ts";
import type { ChatRun } from "./run-chat.ts";

/** The tone of each kind of frame. */
export const frameTones: Readonly<Record<FrameKind, string>> = {
  role: "muted",
  reasoning: "violet",
  content: "accent",
  tool: "warn",
  refusal: "bad",
  finish: "good",
  usage: "muted",
  done: "good",
  comment: "muted",
  error: "bad",
  malformed: "bad",
  other: "muted",
};

/** The tone of each way to end. */
export const outcomeTones: Readonly<Record<ChatRun["outcome"], string>> = {
  running: "muted",
  done: "good",
  cut: "warn",
  reset: "bad",
  stopped: "warn",
};
