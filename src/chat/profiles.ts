import {
  booleanField,
  type FieldCheck,
  numberField,
  orBoolean,
  responseFormatField,
  stopField,
  streamOptionsField,
} from "./field-checks.ts";
import { toolChoiceField, toolsField } from "./tool-checks.ts";

/** How the chat interface behaves where documents and services differ. */
export interface ChatProfile {
  readonly name: "document";
  /** Whether a value of `stream` turns streaming on; undefined when it cannot be that value. */
  readonly readStream: (value: unknown) => boolean | undefined;
  /** What `stream` can be, for the error message. */
  readonly streamValues: string;
  /** The checks of the other fields, made in this order. Fields without one are accepted as they are. */
  readonly fields: ReadonlyMap<string, FieldCheck>;
}

const penalty = numberField({ kind: "decimal", least: -2, greatest: 2 });
const tokenCount = numberField({ kind: "integer", least: 1 });

/**
 * The interface as documented. Where a field's given type and its description contradict each other (`stream`
 * a number, `frequency_penalty` a boolean) both readings are accepted.
 */
export const documentProfile: ChatProfile = {
  name: "document",
  readStream: (value) => {
    if (value === true || value === 1) return true;
    return value === false || value === 0 ? false : undefined;
  },
  streamValues: "true, false, 1 or 0",
  fields: new Map<string, FieldCheck>([
    ["temperature", numberField({ kind: "decimal", least: 0, greatest: 2 })],
    ["top_p", numberField({ kind: "decimal", least: 0, greatest: 1 })],
    ["frequency_penalty", orBoolean(penalty)],
    ["presence_penalty", penalty],
    ["n", numberField({ kind: "integer", least: 1, greatest: 128 })],
    ["max_tokens", tokenCount],
    ["max_completion_tokens", tokenCount],
    ["stop", stopField],
    ["logprobs", booleanField],
    ["top_logprobs", numberField({ kind: "integer", least: 0, greatest: 20 })],
    ["response_format", responseFormatField],
    ["tools", toolsField],
    ["tool_choice", toolChoiceField],
    ["stream_options", streamOptionsField],
  ]),
};

/** The profiles by name. */
export const chatProfiles: ReadonlyMap<string, ChatProfile> = new Map([
  [documentProfile.name, documentProfile],
]);
