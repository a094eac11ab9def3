import { expect, test } from "vitest";
import { checkFault } from "../../../src/core/chat/scripts/check-script.ts";
import type { Fault } from "../../../src/core/chat/scripts/script.ts";

test.each<Fault>([
  { kind: "hang" },
  { kind: "cut", afterChunks: 0 },
  { kind: "reset", afterChunks: 3, probability: 0 },
  { kind: "error", error: { message: "Full" }, probability: 1 },
])("takes %o", (fault) => {
  expect(checkFault(fault, ["fault"])).toEqual([]);
});

test.each<[Fault, string, string]>([
  [{ kind: "hang", afterChunks: 1 }, "afterChunks", "use the kind stall"],
  [{ kind: "noDone", afterChunks: 1 }, "afterChunks", "afterChunks has no effect on noDone"],
  [{ kind: "noFinish", afterChunks: 0 }, "afterChunks", "afterChunks has no effect on noFinish"],
  [{ kind: "cut", afterChunks: -1 }, "afterChunks", "a whole number, 0 or more"],
  [{ kind: "cut", afterChunks: 1.5 }, "afterChunks", "a whole number, 0 or more"],
  [{ kind: "cut", probability: 1.1 }, "probability", "from 0 to 1"],
  [{ kind: "cut", probability: Number.NaN }, "probability", "from 0 to 1"],
  [{ kind: "cut", error: { message: "Full" } }, "error", "but the kind is cut"],
])("refuses %o", (fault, key, message) => {
  const problems = checkFault(fault, ["replies", 0, "fault"]);
  expect(problems).toEqual([
    { path: ["replies", 0, "fault", key], message: expect.stringContaining(message) },
  ]);
});
