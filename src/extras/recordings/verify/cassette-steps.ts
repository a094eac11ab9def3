import type { NamedCassette, Recording, RecordingRules } from "../../../core/replay/cassette.ts";
import { bodyBytes } from "../../../core/replay/recorded-body.ts";
import { readPlace } from "../../../core/replay/recording-path.ts";
import type { Asked } from "./asked.ts";
import { type KnownShapes, shapesOf, uniteKnown } from "./known-shapes.ts";
import { type Placeholders, placeholdersOf } from "./placeholders.ts";
import { recordedBody } from "./recorded-answer.ts";
import type { Step } from "./step.ts";
import { whyUnsendable } from "./unsendable.ts";

/** The requests of cassettes, in their order. */
export function cassetteSteps(
  cassettes: readonly NamedCassette[],
  rules: RecordingRules,
): readonly Step[] {
  const placeholders = placeholdersOf(rules);
  const known = knownShapes(cassettes, placeholders);
  const stable = (rules.stable ?? []).map(readPlace);
  return cassettes.flatMap((cassette) =>
    cassette.recordings.map((recording, index): Step => {
      const { request, answer } = recording;
      const asked = askedOf(cassette, recording);
      const found = known.get(classOf(cassette, recording));
      const unsendable = whyUnsendable(cassette.interface, request, placeholders);
      return {
        source: { cassette: cassette.name, number: index + 1 },
        interface: cassette.interface,
        asked,
        ...(unsendable === undefined ? {} : { skipped: unsendable }),
        ...(found === undefined ? {} : { known: found }),
        stable,
        isUnfinished: answer.end?.how === "hang",
      };
    }),
  );
}

function askedOf({ interface: room }: NamedCassette, { request }: Recording): Asked {
  const { method, path, query = "", headers = {}, body } = request;
  const bytes = body === undefined ? undefined : bodyBytes(body);
  return { interface: room, method, path, query, headers, body: bytes };
}

/** What is asked alike is answered alike: keys that one of these answers lacks are optional. */
function knownShapes(
  cassettes: readonly NamedCassette[],
  placeholders: Placeholders,
): ReadonlyMap<string, KnownShapes> {
  const found = new Map<string, KnownShapes>();
  for (const cassette of cassettes) {
    for (const recording of cassette.recordings) {
      const name = classOf(cassette, recording);
      const shapes = shapesOf({ body: recordedBody(recording.answer) }, placeholders.is);
      const before = found.get(name);
      found.set(name, before === undefined ? shapes : uniteKnown(before, shapes));
    }
  }
  return found;
}

/** Requests of one method to one table, or to one path of chat, that were answered with one status. */
function classOf({ interface: room }: NamedCassette, { request, answer }: Recording): string {
  const [first = "", second, ...more] = request.path.replace(/^\/|\/$/g, "").split("/");
  const isById = room === "rest" || first === "models";
  const rest = second === undefined ? "" : isById ? "/*" : `/${[second, ...more].join("/")}`;
  return `${room} ${request.method} ${first}${rest} ${answer.status}`;
}
