/** A count with its noun, which is given in the singular: `0 rows`, `1 row`, `2 matches`. */
export function counted(count: number, noun: string): string {
  return `${count} ${inNumber(count, noun)}`;
}

/** A noun as it stands after a count, where that is shown in a form of its own. */
export function inNumber(count: number, noun: string): string {
  return count === 1 ? noun : plural(noun);
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:[sx]|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
