import type { JsonObject } from "../../../core/schema/json.ts";

/** The numbers that a schema allows, as multiples of a step: `(least … most) * times / divisor`. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly times: number;
  readonly divisor: number;
}

/** The number of steps in a range that lacks a limit. */
const usualSpan = 100;

/** The largest limit that says something about the data. Larger ones are those of machines. */
const mostTelling = 1e12;

/** The least number of values into which a range is cut. */
const fewest = 100;

const mostDecimals = 12;

/** A lower or an upper limit. */
interface Limit {
  readonly value: number;
  readonly isExclusive: boolean;
}

/**
 * The numbers that a schema of type `integer` or `number` allows. Undefined: there are none, or none that a double
 * holds exactly.
 */
export function numberRange(schema: JsonObject): NumberRange | undefined {
  const lower = limitOf(schema, "minimum", "exclusiveMinimum", Math.max);
  const upper = limitOf(schema, "maximum", "exclusiveMaximum", Math.min);
  const grid = gridOf(schema, (upper?.value ?? Infinity) - (lower?.value ?? -Infinity));
  const { times, divisor } = grid;
  const span = (usualSpan * times) / divisor;
  const from = lower?.value ?? Math.min(0, (upper?.value ?? span) - span);
  const to = upper?.value ?? from + span;
  const isAllowed = (place: number): boolean => {
    const value = (place * times) / divisor;
    const isAbove = lower?.isExclusive === true ? value > from : value >= from;
    return isAbove && (upper?.isExclusive === true ? value < to : value <= to);
  };
  // Rounding may put a value just beyond the limit, so its neighbours are tried, too.
  const least = around(Math.ceil((from * divisor) / times)).find(isAllowed);
  const most = around(Math.floor((to * divisor) / times)).findLast(isAllowed);
  if (least === undefined || most === undefined || least > most) return undefined;
  const isSafe = [least, most, least * times, most * times].every(Number.isSafeInteger);
  return isSafe ? { least, most, ...grid } : undefined;
}

function around(place: number): readonly number[] {
  return [place - 1, place, place + 1];
}

/**
 * The limit that a schema sets. Of an inclusive and an exclusive one, the closer counts. In OpenAPI 3.0, the exclusive
 * one is true or false.
 */
function limitOf(
  schema: JsonObject,
  inclusive: string,
  exclusive: string,
  closer: (left: number, right: number) => number,
): Limit | undefined {
  const { [inclusive]: plain, [exclusive]: strict } = schema;
  const value = isTelling(plain) ? plain : undefined;
  if (!isTelling(strict)) {
    return value === undefined ? undefined : { value, isExclusive: strict === true };
  }
  if (value === undefined || closer(value, strict) === strict) {
    return { value: strict, isExclusive: true };
  }
  return { value, isExclusive: false };
}

function isTelling(limit: unknown): limit is number {
  return typeof limit === "number" && Math.abs(limit) <= mostTelling;
}

/** The distance between neighbouring numbers, as a fraction. */
function gridOf(
  { type, multipleOf }: JsonObject,
  span: number,
): Pick<NumberRange, "times" | "divisor"> {
  const isInteger = type === "integer";
  if (typeof multipleOf === "number" && multipleOf > 0 && multipleOf <= mostTelling) {
    const divisor = 10 ** decimalsOf(multipleOf);
    const times = Math.round(multipleOf * divisor);
    if (times > 0 && (!isInteger || divisor === 1)) return { times, divisor };
  }
  return { times: 1, divisor: isInteger ? 1 : divisorFor(span) };
}

/** The power of ten that cuts a range into enough values. */
function divisorFor(span: number): number {
  const decimals = Array.from({ length: mostDecimals }, (_, count) => count);
  const enough = decimals.find((count) => span * 10 ** count >= fewest) ?? mostDecimals;
  return 10 ** enough;
}

function decimalsOf(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  const written = digits.split(".")[1]?.length ?? 0;
  return Math.min(mostDecimals, Math.max(0, written - Number(exponent)));
}
