/**
 * A place in the journals of all workers: the id of the last request of each, 0 for none. Joined by dots it is the id
 * of a request in the joined journal, so that whoever goes on after it misses nothing of any worker.
 */
export type Positions = readonly number[];

const pattern = /^\d{1,15}(?:\.\d{1,15})+$/;

/** The place that a text tells. Undefined: it is none. */
export function readPositions(text: string): Positions | undefined {
  return pattern.test(text) ? text.split(".").map(Number) : undefined;
}

const since = /(^|&)since=([\d.]+)(?=&|$)/;

/** The place after which a query asks for requests; that before all of them where it names none. */
export function positionsIn(query: string, workers: number): Positions {
  const [, , value = ""] = since.exec(query) ?? [];
  return readPositions(value) ?? Array.from({ length: workers }, () => 0);
}

/** A query as one worker understands it. */
export function forWorker(query: string, worker: number): string {
  const [whole = "", before = "", value = ""] = since.exec(query) ?? [];
  const positions = readPositions(value);
  if (positions === undefined) return query;
  const own = positions[worker] ?? 0;
  // Of that worker everything is wanted.
  const part = own === 0 ? "" : `${before}since=${own}`;
  return query.replace(whole, part).replace(/^&/, "");
}

/** The place after one more request. */
export function withPosition(positions: Positions, worker: number, id: number): Positions {
  return positions.map((position, other) => (other === worker ? id : position));
}
