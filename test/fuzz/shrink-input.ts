/** Shorter values of the same shape: arrays with fewer elements, texts with fewer characters. Biggest steps first. */
export function* shorterInputs(value: unknown): Generator<unknown, void> {
  if (typeof value === "string") yield* shorterTexts(value);
  else if (Array.isArray(value)) yield* shorterArrays(value);
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      for (const shorter of shorterInputs(inner)) yield { ...value, [key]: shorter };
    }
  }
}

function* shorterTexts(text: string): Generator<string, void> {
  for (const [from, to] of cuts(text.length)) yield text.slice(0, from) + text.slice(to);
}

function* shorterArrays(list: readonly unknown[]): Generator<unknown[], void> {
  for (const [from, to] of cuts(list.length)) yield [...list.slice(0, from), ...list.slice(to)];
  for (const [index, item] of list.entries()) {
    for (const shorter of shorterInputs(item)) yield list.with(index, shorter);
  }
}

/** What can be cut out: everything, halves, quarters, and at last single elements. */
function* cuts(length: number): Generator<readonly [from: number, to: number], void> {
  for (let size = length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)];
  }
}

/** How far a shrinking goes. */
export interface ShrinkLimits {
  readonly most: number;
  readonly untilMs: number;
}

/** The smallest value found that still fails. */
export async function shrinkInput<Input>(
  input: Input,
  fails: (candidate: Input) => Promise<boolean>,
  { most, untilMs }: ShrinkLimits,
): Promise<Input> {
  let smallest = input;
  let tries = 0;
  for (let found = true; found;) {
    found = false;
    for (const candidate of shorterInputs(smallest)) {
      if (tries++ >= most || performance.now() > untilMs) return smallest;
      // Of the same shape, since only elements and characters are taken out.
      if (!(await fails(candidate as Input))) continue;
      smallest = candidate as Input;
      found = true;
      break;
    }
  }
  return smallest;
}
