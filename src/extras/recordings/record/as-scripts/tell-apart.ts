import { compileCriteria } from "../../../../core/chat/matching/criteria.ts";
import type { When } from "../../../../core/chat/scripts/script.ts";
import type { RecordedChat } from "./recorded-chat.ts";
import { type Placeholders, traitsOf, userTrait } from "./request-traits.ts";

/** Requests that no script can tell apart, in the order in which they were recorded. */
export interface SameChats {
  readonly first: RecordedChat;
  readonly all: readonly RecordedChat[];
}

/** By what a script knows a request. */
export interface ToldApart {
  readonly when: When;
  /** Others that it holds for, too: their scripts have to come first. */
  readonly alsoHoldsFor: readonly SameChats[];
}

/** A condition and those of the others that it does not hold for. */
interface Trait {
  readonly when: When;
  readonly excluded: ReadonlySet<SameChats>;
}

/**
 * The conditions that tell a request apart from others: the user's words, and of all else only what is needed. The first that
 * does it alone, or else some of which none could be left out.
 */
export function tellApart(
  same: SameChats,
  others: readonly SameChats[],
  placeholders: Placeholders,
): ToldApart {
  const user = userTrait(same.first, placeholders) ?? {};
  const left = others.filter((other) => holdsFor(user, other.first));
  if (left.length === 0) return { when: user, alsoHoldsFor: [] };
  const useful: Trait[] = [];
  for (const when of traitsOf(same.first, placeholders)) {
    if (!same.all.every((chat) => holdsFor(when, chat))) continue;
    const excluded = new Set(left.filter((other) => !holdsFor(when, other.first)));
    if (excluded.size === left.length) return { when: { ...user, ...when }, alsoHoldsFor: [] };
    if (excluded.size > 0) useful.push({ when, excluded });
  }
  const chosen = fewestOf(useful);
  const when = chosen.reduce((all, trait) => joined(all, trait.when), user);
  const alsoHoldsFor = left.filter((other) => chosen.every(({ excluded }) => !excluded.has(other)));
  return { when, alsoHoldsFor };
}

/** Takes each that excludes somebody whom none before does, and then leaves out those that others make needless. */
function fewestOf(useful: readonly Trait[]): readonly Trait[] {
  const taken: Trait[] = [];
  const excluded = new Set<SameChats>();
  for (const trait of useful) {
    const isNew = [...trait.excluded].some((other) => !excluded.has(other));
    if (!isNew || taken.some(({ when }) => collide(when, trait.when))) continue;
    taken.push(trait);
    for (const other of trait.excluded) excluded.add(other);
  }
  let fewest: readonly Trait[] = taken;
  for (const trait of taken) {
    const rest = fewest.filter((other) => other !== trait);
    const isNeedless = [...trait.excluded].every((other) =>
      rest.some((another) => another.excluded.has(other)),
    );
    if (isNeedless) fewest = rest;
  }
  return fewest;
}

/** Whether two conditions have the same place in a `when`. */
function collide(left: When, right: When): boolean {
  return Object.keys(left).some(
    (key) => key !== "header" && key !== "request" && Object.hasOwn(right, key),
  );
}

function joined(left: When, right: When): When {
  const header = { ...left.header, ...right.header };
  const request = { ...left.request, ...right.request };
  return {
    ...left,
    ...right,
    ...(Object.keys(header).length === 0 ? {} : { header }),
    ...(Object.keys(request).length === 0 ? {} : { request }),
  };
}

const compiled = new WeakMap<When, ReturnType<typeof compileCriteria>>();

function holdsFor(when: When, { view }: RecordedChat): boolean {
  const criteria = compiled.get(when) ?? compileCriteria(when);
  compiled.set(when, criteria);
  return criteria.every(({ holds }) => holds(view));
}
