import { expect, test } from "vitest";
import { fixturesJsonSchema } from "../../../src/core/fixture-set/format/fixtures-json-schema.ts";
import { asObject, type JsonObject } from "../../../src/core/schema/json.ts";
import { createEmulator } from "../../../src/index.ts";

// What can be written has an effect. Each key of the format, and each field of a chat request that is said to have an
// effect, is shown by two answers that differ. A new key fails until something reads it.

/** Two answers that the key, and nothing else, makes different. */
export type Shown = () => Promise<readonly [without: unknown, given: unknown]>;

/** How each key of an object is shown. */
export type ShownKeys = Readonly<Record<string, Shown>>;

export async function both(
  answer: (given: object) => Promise<unknown>,
  without: object,
  given: object,
): ReturnType<Shown> {
  return [await answer(without), await answer({ ...without, ...given })];
}

/** What requests, one after the other, get from fixtures. */
export async function answersOf(fixtures: object, requests: readonly string[]): Promise<unknown> {
  const emulator = await createEmulator({ fixtures, auth: false, seed: 1, clock: 0 });
  const answers: unknown[] = [];
  for (const request of requests) {
    const [method = "", path = "", body] = request.split(" ");
    const headers = { "content-type": "application/json", authorization: "Bearer local-token" };
    const init = { method, headers, ...(body !== undefined && { body }) };
    const answer = await emulator.fetch(new Request(`http://127.0.0.1${path}`, init));
    answers.push(answer.status, await answer.text());
  }
  return answers;
}

const format = fixturesJsonSchema();

/** The objects that a JSON Schema allows, references and alternatives followed. */
export function objectsOf(schema: unknown): readonly JsonObject[] {
  const { $ref, anyOf, ...own } = asObject(schema) ?? {};
  if (typeof $ref === "string") return objectsAt(...$ref.split("/").slice(1));
  return [own, ...(Array.isArray(anyOf) ? anyOf.flatMap(objectsOf) : [])];
}

/** The objects at the end of a way through the format. */
function objectsAt(...way: readonly string[]): readonly JsonObject[] {
  const whole: readonly JsonObject[] = [format];
  return way.reduce(
    (objects, step) => objects.flatMap((object) => (step in object ? objectsOf(object[step]) : [])),
    whole,
  );
}

/** The keys that an object of the format can have. */
export function keysAt(...way: readonly string[]): readonly string[] {
  // The properties themselves are no schema: a key may be called `anyOf`.
  const keys = objectsAt(...way).flatMap(({ properties }) =>
    Object.keys(asObject(properties) ?? {}),
  );
  return [...new Set(keys)];
}

/** Expects that each key of these objects is shown, and that it changes an answer. */
export function testEffects(
  groups: readonly (readonly [of: string, keys: readonly string[], shown: ShownKeys])[],
): void {
  test.each(groups)("each key of %s is shown by an answer that it changes", (_of, keys, shown) => {
    expect(keys.length).toBeGreaterThan(1);
    expect(Object.keys(shown).toSorted()).toEqual([...keys].toSorted());
  });

  const rows = groups.flatMap(([of, , shown]) =>
    Object.entries(shown).map(([key, show]): [string, Shown] => [`${key} of ${of}`, show]),
  );

  test.each(rows)("%s has an effect", async (_key, show) => {
    const [without, given] = await show();
    expect(given).not.toEqual(without);
  });
}
