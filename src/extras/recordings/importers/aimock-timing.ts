import type { Pace, ScriptReply } from "../../../core/chat/scripts/script.ts";
import { isObject } from "../../../core/schema/json.ts";
import type { Tell } from "./imported.ts";

type Json = Readonly<Record<string, unknown>>;

/** Characters in a chunk where a fixture does not say. */
const usualChunk = 20;

/** How fast a fixture's answer comes, and what goes wrong with it. */
export function readTiming(fixture: Json, tell: Tell): Pick<ScriptReply, "pace" | "fault"> {
  const fault = faultOf(fixture, tell);
  const pace = paceOf(fixture, tell);
  const isCut = fault?.afterChunks !== undefined;
  const size = numberIn(fixture["chunkSize"]) ?? usualChunk;
  const isPaced = Object.keys(pace).length > 0 || isCut || fixture["chunkSize"] !== undefined;
  // What a chunk is decides how long they take together, and after which of them the stream breaks.
  const by = Number.isSafeInteger(size) && size >= 1 ? { by: size } : {};
  return {
    ...(isPaced ? { pace: { ...pace, ...by } } : {}),
    ...(fault === undefined ? {} : { fault }),
  };
}

function paceOf(fixture: Json, tell: Tell): Pace {
  const { streamingProfile: profile, recordedTimings: timings, latency, chaos } = fixture;
  const wait = isObject(chaos) ? (numberIn(chaos["latencyMs"]) ?? 0) : 0;
  const gap = numberIn(latency) ?? 0;
  if (isObject(profile)) return profilePace(profile, wait, gap);
  if (isObject(timings))
    return recordedPace(timings, { wait, speed: fixture["replaySpeed"] }, tell);
  return {
    ...(wait + gap > 0 ? { firstTokenMs: wait + gap } : {}),
    ...(gap > 0 ? { gapMs: gap } : {}),
  };
}

function profilePace(profile: Json, wait: number, gap: number): Pace {
  const { ttft, tps, jitter } = profile;
  const speed = numberIn(tps) ?? 0;
  const first = wait + (numberIn(ttft) ?? (speed > 0 ? 1000 / speed : gap));
  const share = Math.min(1, numberIn(jitter) ?? 0);
  return {
    ...(first > 0 ? { firstTokenMs: first } : {}),
    ...(speed > 0 ? { tokensPerSecond: speed } : gap > 0 ? { gapMs: gap } : {}),
    ...(share > 0 ? { jitter: share } : {}),
  };
}

function recordedPace(
  { ttftMs, interChunkDelaysMs: delays }: Json,
  { wait, speed }: { readonly wait: number; readonly speed: unknown },
  tell: Tell,
): Pace {
  const factor = numberIn(speed) ?? 1;
  const scaled = (ms: number): number => Math.round((factor > 0 ? ms / factor : ms) * 100) / 100;
  const gaps = Array.isArray(delays) ? delays.flatMap((ms) => numberIn(ms) ?? []) : [];
  const sum = gaps.reduce((total, ms) => total + ms, 0);
  const gap = gaps.length === 0 ? 0 : scaled(sum / gaps.length);
  const first = wait + scaled(numberIn(ttftMs) ?? 0);
  if (new Set(gaps).size > 1)
    tell(["recordedTimings"], "the gaps are all as long as they are on average");
  return { ...(first > 0 ? { firstTokenMs: first } : {}), ...(gap > 0 ? { gapMs: gap } : {}) };
}

function faultOf(fixture: Json, tell: Tell): ScriptReply["fault"] {
  const { truncateAfterChunks: after, disconnectAfterMs, openRouterProcessing } = fixture;
  if (disconnectAfterMs !== undefined) {
    tell(["disconnectAfterMs"], "no script can break off after a time: it was left out");
  }
  if (openRouterProcessing === true) {
    tell(["openRouterProcessing"], "the comments of OpenRouter were left out");
  }
  const byChance = chanceOf(fixture["chaos"], tell);
  const chunks = numberIn(after);
  if (chunks === undefined) return byChance;
  if (byChance !== undefined) tell(["chaos"], "left out: the script breaks off in any case");
  return { kind: "reset", afterChunks: Math.floor(chunks) };
}

/** The first of the faults that happen by chance: a script's reply has one. */
function chanceOf(chaos: unknown, tell: Tell): ScriptReply["fault"] {
  if (!isObject(chaos)) return undefined;
  const kinds = { disconnectRate: "reset", malformedRate: "malformed" } as const;
  let fault: ScriptReply["fault"];
  for (const [key, rate] of Object.entries(chaos)) {
    const probability = numberIn(rate);
    if (key === "latencyMs" || probability === 0) continue;
    const kind = key === "disconnectRate" || key === "malformedRate" ? kinds[key] : undefined;
    if (
      kind !== undefined &&
      probability !== undefined &&
      probability <= 1 &&
      fault === undefined
    ) {
      fault = { kind, probability };
    } else {
      tell(["chaos", key], "no script can say this besides: it was left out");
    }
  }
  return fault;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
