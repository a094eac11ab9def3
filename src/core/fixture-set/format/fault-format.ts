import type { ChunkFault, Fault, FaultError, FaultKind } from "../../chat/scripts/script.ts";
import { choice, count, nullable, number, oneOf, text } from "../../schema/values.ts";
import { isObject } from "../../schema/json.ts";
import { closedObject, optional, required } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";

const kindsInChunks = [
  "stall",
  "cut",
  "reset",
  "malformed",
  "duplicate",
  "error",
  "noFinish",
  "noDone",
] as const satisfies readonly FaultKind[];

/** The kinds of faults of a reply. */
export const faultKinds: readonly FaultKind[] = ["hang", ...kindsInChunks];

/** Faults that only a script can say, since they happen within a reply. */
export const kindsWithinReplies: readonly string[] = kindsInChunks.filter(
  (kind) => kind !== "reset",
);

const probability = optional(
  number({ least: 0, most: 1 }),
  "How likely it happens, drawn from the seed. Default: 1.",
);

const error: Schema<FaultError> = closedObject({
  message: required(text, "What went wrong."),
  type: optional(text, "The kind of error. Default: `server_error`."),
  code: optional(nullable(text), "The error's code."),
  param: optional(nullable(text), "The parameter that is to blame."),
});

const said = optional(error, "What the kind `error` says. Default: a server error.");

/** A fault of a whole reply. */
export const faultSchema: Schema<Fault> = closedObject({
  kind: required(oneOf(faultKinds), "What goes wrong."),
  afterChunks: optional(count, "How many events with data come before it. Default: 0."),
  probability,
  error: said,
});

/** A fault among chunks. */
export const chunkFaultSchema: Schema<ChunkFault> = choice(
  [
    oneOf(kindsInChunks),
    closedObject({
      kind: required(oneOf(kindsInChunks), "What goes wrong."),
      probability,
      error: said,
    }),
  ],
  "a kind of fault, or an object with its `kind`",
  (value) => {
    if (typeof value === "string") return 0;
    return isObject(value) ? 1 : undefined;
  },
);
