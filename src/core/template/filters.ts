import type { Filter, FilterContext, Liquid } from "./liquid.ts";
import type { FakeValues } from "./fake-values.ts";

/** What the filters need that is loaded or known only later. */
export interface FilterServices {
  /** Loaded before a template that needs it is rendered. */
  readonly fakeValues: () => FakeValues;
  readonly now: (() => number) | undefined;
}

/** Adds the filter `faker`, makes those that depend on chance or the clock reproducible, and takes out those that wait. */
export function registerFilters(liquid: Liquid, services: FilterServices): void {
  liquid.registerFilter("faker", function fakeValue(path, ...args) {
    return services.fakeValues().call(String(path), groupNamed(this, args));
  });
  liquid.registerFilter("sample", (value, count = 1) => {
    const list = Array.isArray(value) ? value : typeof value === "string" ? Array.from(value) : [];
    const { pick, sample } = services.fakeValues();
    return count === 1 ? pick(list) : sample(list, Math.trunc(Number(count)) || 0);
  });
  for (const name of filtersThatWait) delete liquid.filters[name];
  const { now } = services;
  if (now === undefined) return;
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (/^date(?:_|$)/.test(name)) liquid.registerFilter(name, atTime(filter, now));
  }
}

/** Filters of the library that give a promise, which would be rendered as such: here nothing is waited for. */
const filtersThatWait: readonly string[] = ["sha256", "hmac_sha256"];

/** `faker: min: 1, max: 6` passes one object `{ min: 1, max: 6 }`, as faker's methods want it. */
function groupNamed(context: FilterContext, args: readonly unknown[]): unknown[] {
  const isNamed = (index: number): boolean => Array.isArray(context.token.args[index]);
  const positional = args.filter((_, index) => !isNamed(index));
  const named = args.filter((_, index) => isNamed(index));
  if (named.length === 0) return positional;
  return [...positional, Object.fromEntries(named as [string, unknown][])];
}

/** A date filter that takes "now" from our clock. */
function atTime(filter: Filter, now: () => number): Filter {
  return function dateAtTime(value, ...args) {
    const date = value === "now" || value === "today" ? now() / 1000 : value;
    return Reflect.apply(filter, this, [date, ...args]);
  };
}
