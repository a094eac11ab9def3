/** A count with its noun, given in the singular: `0 rows`, `1 row`, `2 matches`. */
export function counted(count: number, noun: string): string {
  return `${count} ${inNumber(count, noun)}`;
}

/** The noun after a count that is shown separately. */
export function inNumber(count: number, noun: string): string {
  return count === 1 ? noun : plural(noun);
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:[sx]|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
