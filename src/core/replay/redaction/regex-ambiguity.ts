import type { RegexGraph } from "./regex-graph.ts";

/**
 * Whether there is a text that leads from one place of the graph back to it in two ways. Repeated, it does so in four, in
 * eight …: where the match fails in the end, all of them are tried.
 */
export function isAmbiguous(graph: RegexGraph): boolean {
  const size = graph.characters.length;
  const pairs = reachablePairs(graph);
  const before = new Map<number, number[]>();
  for (const [pair, followers] of pairs) {
    for (const follower of followers) {
      const all = before.get(follower);
      if (all === undefined) before.set(follower, [pair]);
      else all.push(pair);
    }
  }
  return Array.from({ length: size }, (_, place) => place * size + place).some((same) => {
    const ahead = reached(same, pairs);
    const behind = reached(same, before);
    if (!ahead.has(same)) return false;
    return [...ahead].some((pair) => behind.has(pair) && isSplit(graph, pair));
  });
}

/** Two places at once, or one from which there are two ways to the same next one that leads back. */
function isSplit({ next, characters }: RegexGraph, pair: number): boolean {
  const [left, right] = placesOf(pair, characters.length);
  if (left !== right) return true;
  const own = next[left] ?? [];
  return own.some((place, index) => own.indexOf(place) !== index && leadsTo(next, place, left));
}

function leadsTo(next: RegexGraph["next"], from: number, to: number): boolean {
  const ways = new Map(next.map((places, index) => [index, places]));
  return from === to || reached(from, ways).has(to);
}

function placesOf(pair: number, size: number): readonly [number, number] {
  return [Math.floor(pair / size), pair % size];
}

/** Of two places that the same text leads to, those to which one more character leads. */
function reachablePairs({ characters, next }: RegexGraph): ReadonlyMap<number, readonly number[]> {
  const size = characters.length;
  const pairs = new Map<number, readonly number[]>();
  const waiting = characters.map((_, place) => place * size + place);
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (pairs.has(pair)) continue;
    const [left, right] = placesOf(pair, size);
    const followers = new Set<number>();
    for (const one of new Set(next[left])) {
      for (const other of new Set(next[right])) {
        if (((characters[one] ?? 0n) & (characters[other] ?? 0n)) !== 0n) {
          followers.add(one * size + other);
        }
      }
    }
    pairs.set(pair, [...followers]);
    waiting.push(...followers);
  }
  return pairs;
}

/** What can be reached from a start by at least one step. */
function reached(start: number, ways: ReadonlyMap<number, readonly number[]>): ReadonlySet<number> {
  const seen = new Set<number>();
  const waiting = [...(ways.get(start) ?? [])];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    waiting.push(...(ways.get(at) ?? []));
  }
  return seen;
}
