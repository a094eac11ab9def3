/** Every kind of fault, in streams and in JSON replies: what fails has to fail as it was planned. */
import { chatBody } from "./chat-actions.ts";
import type { Answer } from "./client.ts";
import { eventsOf, expect } from "./expect.ts";

import { type FaultKind, faultKindNames } from "../../src/core/chat/faults/fault-kinds.ts";
import { faultAfter } from "./fixtures.ts";
import type { Visitor } from "./visitor.ts";

type Sign = (answer: Answer) => boolean;

const isWhole: Sign = ({ status, end }) => status === 200 && end === "whole";
const hasDone: Sign = (answer) => eventsOf(answer).at(-1) === "[DONE]";
const hasFinish: Sign = ({ text }) => text.includes('"finish_reason":"stop"');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isBrokenJson: Sign = (answer) => isWhole(answer) && !isJson(answer.text);
const isFineJson: Sign = (answer) => isWhole(answer) && isJson(answer.text);
const isHung: Sign = ({ status, end }) => status === 0 && end === "silent";

const streamSigns: Readonly<Record<FaultKind, Sign>> = {
  hang: isHung,
  stall: (answer) => answer.end === "silent" && eventsOf(answer).length === faultAfter,
  cut: (answer) => isWhole(answer) && eventsOf(answer).length === faultAfter,
  reset: (answer) => answer.end === "broken",
  malformed: (answer) =>
    isWhole(answer) && eventsOf(answer).some((event) => event !== "[DONE]" && !isJson(event)),
  duplicate: (answer) =>
    isWhole(answer) && eventsOf(answer).some((event, at, all) => event === all[at + 1]),
  error: (answer) => isWhole(answer) && (eventsOf(answer)[faultAfter] ?? "").includes('"error"'),
  noFinish: (answer) => isWhole(answer) && hasDone(answer) && !hasFinish(answer),
  noDone: (answer) => isWhole(answer) && !hasDone(answer) && hasFinish(answer),
};

const jsonSigns: Readonly<Record<FaultKind, Sign>> = {
  hang: isHung,
  stall: ({ status, end, text }) => status === 200 && end === "silent" && text !== "",
  cut: isBrokenJson,
  reset: ({ end }) => end === "broken",
  malformed: isBrokenJson,
  duplicate: isFineJson,
  error: ({ status, text }) => status === 500 && isJson(text),
  noFinish: (answer) => isFineJson(answer) && !hasFinish(answer),
  noDone: isFineJson,
};

/** What goes silent is not waited for longer than this. */
const graceMs = 1000;

export async function fault(visitor: Visitor): Promise<void> {
  const kind = visitor.pick(faultKindNames);
  const isStream = visitor.below(2) === 0;
  const isSilent = kind === "hang" || kind === "stall";
  const answer = await visitor.ask({
    method: "POST",
    path: "/v1/chat/completions",
    body: chatBody(`fault ${kind}`, isStream),
    ...(isSilent ? { graceMs } : {}),
  });
  const sign = (isStream ? streamSigns : jsonSigns)[kind];
  expect(sign(answer), `the fault ${kind} of a ${isStream ? "stream" : "JSON reply"}`, answer);
}
