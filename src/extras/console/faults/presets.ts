import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import type { EndpointEntry } from "../api/client.ts";
import { endpointScope } from "./fault-draft.ts";

/** A common fault. */
interface Preset {
  readonly title: string;
  readonly rule: FaultRule;
  /** Whether the fault makes sense only for streams. */
  readonly needsStream?: boolean;
}

export const presets: readonly Preset[] = [
  { title: "slow network", rule: { delayMs: { min: 500, max: 2000 } } },
  { title: "429, then fine", rule: { status: 429, retryAfterMs: 1000, times: 1 } },
  {
    title: "cut after 5 chunks",
    rule: { fault: "cut", afterChunks: 5, times: 1 },
    needsStream: true,
  },
  { title: "every fifth fails", rule: { status: 500, every: 5 } },
  { title: "no answer", rule: { fault: "hang", times: 1 } },
];

/** The rule of a fault for an endpoint, or, without one, for all requests that it makes sense for. */
export function ruleFor(
  { rule, needsStream = false }: Preset,
  endpoints: readonly EndpointEntry[],
  chosen?: EndpointEntry,
): FaultRule {
  if (chosen !== undefined) {
    return { ...endpointScope(chosen), ...rule };
  }
  const streaming = endpoints.find(({ hasStreams }) => hasStreams);
  return needsStream && streaming !== undefined
    ? { interface: streaming.interface, ...rule }
    : rule;
}

/** Whether a fault makes sense for an endpoint; without one, it always does. */
export function makesSenseFor({ needsStream = false }: Preset, chosen?: EndpointEntry): boolean {
  return !needsStream || chosen === undefined || chosen.hasStreams;
}
