import type { Answer } from "./answer.ts";
import { kindsOf } from "./event-kinds.ts";
import { type Shape, shapeOf, unite } from "./shape.ts";

/** What answers to one kind of request have been seen to have. */
export interface KnownShapes {
  /** Of a JSON body. Undefined: none was seen. */
  readonly body: Shape | undefined;
  /** Of each kind of event, by its name. */
  readonly events: ReadonlyMap<string, Shape>;
}

/** Nothing is known. */
export const unknownShapes: KnownShapes = { body: undefined, events: new Map() };

/** The shapes of one answer. */
export function shapesOf(
  { body }: Pick<Answer, "body">,
  isRedacted: (text: string) => boolean,
): KnownShapes {
  if (body.kind === "json") return { body: shapeOf(body.value, isRedacted), events: new Map() };
  if (body.kind !== "events") return unknownShapes;
  const events = new Map<string, Shape>();
  for (const { kind, json } of kindsOf(body.events)) {
    if (json !== undefined) addShape(events, kind, shapeOf(json, isRedacted));
  }
  return { body: undefined, events };
}

/** What two have together. */
export function uniteKnown(left: KnownShapes, right: KnownShapes): KnownShapes {
  const events = new Map(left.events);
  for (const [kind, shape] of right.events) addShape(events, kind, shape);
  const both = left.body !== undefined && right.body !== undefined;
  return { body: both ? unite(left.body, right.body) : (left.body ?? right.body), events };
}

function addShape(shapes: Map<string, Shape>, kind: string, shape: Shape): void {
  const before = shapes.get(kind);
  shapes.set(kind, before === undefined ? shape : unite(before, shape));
}
