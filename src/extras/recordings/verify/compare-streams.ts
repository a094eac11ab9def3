import type { ServerSentEvent } from "../event-stream.ts";
import { type KnownShapes, type ShapeRules, compareShapes, shapesOf } from "./compare-shapes.ts";
import { kindsOf, orderOf } from "./event-kinds.ts";
import { type Drift, nothingThere } from "./drift.ts";

/** Two event streams and what they are compared by. */
interface ComparedStreams {
  readonly service: readonly ServerSentEvent[];
  readonly emulator: readonly ServerSentEvent[];
  readonly known: KnownShapes;
  readonly rules: ShapeRules;
  readonly isRedacted: (text: string) => boolean;
  /** Whether both came to their end, so that what is missing is not what was cut off. */
  readonly isWhole: boolean;
}

/** How two event streams differ: in the order of the kinds of events, and in the shape of each kind. */
export function compareStreams(streams: ComparedStreams): readonly Drift[] {
  return [...(streams.isWhole ? compareOrder(streams) : []), ...compareKinds(streams)];
}

function compareOrder({ service, emulator }: ComparedStreams): readonly Drift[] {
  const [given, expected] = [inWords(service), inWords(emulator)];
  if (given === expected) return [];
  return [{ place: "stream.events", service: given, emulator: expected }];
}

function inWords(events: readonly ServerSentEvent[]): string {
  return orderOf(kindsOf(events)).join(", ") || nothingThere;
}

function compareKinds(streams: ComparedStreams): readonly Drift[] {
  const { rules, known, isRedacted } = streams;
  const [service, emulator] = [streams.service, streams.emulator].map(
    (events) => shapesOf({ body: { kind: "events", events } }, isRedacted).events,
  );
  const found: { readonly kind: string; readonly drift: Drift }[] = [];
  const compared: string[] = [];
  for (const [kind, given] of service ?? []) {
    const expected = emulator?.get(kind);
    if (expected === undefined) continue;
    compared.push(kind);
    const shapes = { service: given, emulator: expected, known: known.events.get(kind), place: [] };
    const drifts = compareShapes(shapes, inEvents(rules));
    found.push(...drifts.map((drift) => ({ kind, drift })));
  }
  return joinKinds(found, compared);
}

/** Rules name places of the body, whose JSON an event's data is. */
function inEvents(rules: ShapeRules): ShapeRules {
  return {
    isLeftOut: (place) => rules.isLeftOut(["body", ...place]),
    redacted: (place) => rules.redacted(["body", ...place]),
  };
}

/** What is the same in several kinds of events is told once. */
function joinKinds(
  found: readonly { readonly kind: string; readonly drift: Drift }[],
  compared: readonly string[],
): readonly Drift[] {
  const kindsByDrift = new Map<string, { readonly drift: Drift; readonly kinds: string[] }>();
  for (const { kind, drift } of found) {
    const key = JSON.stringify(drift);
    const before = kindsByDrift.get(key);
    if (before === undefined) kindsByDrift.set(key, { drift, kinds: [kind] });
    else before.kinds.push(kind);
  }
  return [...kindsByDrift.values()].map(({ drift, kinds }) => {
    const isEvery = kinds.length > 1 && kinds.length === compared.length;
    return { ...drift, place: `stream.${isEvery ? "*" : kinds.join("+")}.${drift.place}` };
  });
}
