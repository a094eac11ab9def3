import { counted } from "../../core/errors/counted.ts";
import { type MatcherTools, show } from "./matcher-tools.ts";

/** A place in a body, with the actual and the expected value. */
interface Place {
  readonly path: string;
  readonly seen: unknown;
  readonly wanted: unknown;
}

/** Why a body does not match, at the first difference; undefined when it matches, as in `toMatchObject`. */
export function bodyMisfit(
  seen: unknown,
  wanted: unknown,
  tools: MatcherTools,
): string | undefined {
  const whole = { path: "body", seen, wanted };
  return fits(whole, tools) ? undefined : describeMisfit(whole, tools);
}

function fits({ seen, wanted }: Place, { equals, customTesters, utils }: MatcherTools): boolean {
  return equals(seen, wanted, [...customTesters, utils.iterableEquality, utils.subsetEquality]);
}

function describeMisfit(place: Place, tools: MatcherTools): string {
  const { path, seen, wanted } = place;
  if (Array.isArray(seen) && Array.isArray(wanted) && seen.length !== wanted.length) {
    return `${path} had ${counted(seen.length, "item")}, not ${wanted.length}`;
  }
  const inner = placesIn(place).find((part) => !fits(part, tools));
  if (inner !== undefined) return describeMisfit(inner, tools);
  const found = seen === undefined ? "missing" : show(seen, tools);
  return `${path} was ${found}, not ${show(wanted, tools)}`;
}

/** The parts that can be compared one by one. None if one side is not a container, or is a matcher of vitest. */
function placesIn({ path, seen, wanted }: Place): readonly Place[] {
  if (Array.isArray(seen) && Array.isArray(wanted)) {
    return wanted.map((item: unknown, index) => ({
      path: `${path}[${index}]`,
      seen: seen[index],
      wanted: item,
    }));
  }
  if (!isPlainObject(seen) || !isPlainObject(wanted)) return [];
  return Object.entries(wanted).map(([key, value]) => ({
    path: /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`,
    seen: Object.hasOwn(seen, key) ? seen[key] : undefined,
    wanted: value,
  }));
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
