import { below, isPlace, type PlaceStep } from "./recording-path.ts";

/** JSON on one line, members by name. A member at one of `places` is left out, an element is null there. */
export function canonicalJson(
  value: unknown,
  places: readonly (readonly PlaceStep[])[] = [],
): string {
  if (Array.isArray(value)) {
    const elements = value.map((element: unknown, index) => {
      const inner = below(places, String(index));
      return isPlace(inner) ? "null" : canonicalJson(element, inner);
    });
    return `[${elements.join(",")}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, member]: [string, unknown]) => {
      const inner = below(places, name);
      return isPlace(inner) ? [] : [`${JSON.stringify(name)}:${canonicalJson(member, inner)}`];
    });
  return `{${members.join(",")}}`;
}
