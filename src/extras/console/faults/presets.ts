import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import type { EndpointEntry } from "../api/client.ts";

/** A fault that is often needed. */
interface Preset {
  readonly title: string;
  readonly rule: FaultRule;
  /** Whether only streams can meet it. */
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

/** A fault for the requests to an endpoint. Undefined: for all that can meet it. */
export function ruleFor(
  { rule, needsStream = false }: Preset,
  endpoints: readonly EndpointEntry[],
  chosen?: EndpointEntry,
): FaultRule {
  if (chosen !== undefined) {
    const { interface: name, method, path } = chosen;
    return { interface: name, method, path: path.replace(/\{.*$/, ""), ...rule };
  }
  const streaming = endpoints.find(({ hasStreams }) => hasStreams);
  return needsStream && streaming !== undefined
    ? { interface: streaming.interface, ...rule }
    : rule;
}

/** Whether requests to an endpoint can meet a fault. */
export function canMeet({ needsStream = false }: Preset, chosen?: EndpointEntry): boolean {
  return !needsStream || chosen === undefined || chosen.hasStreams;
}
