/** Whole numbers of 16 digits or more, which a double may not hold, and texts, in which numbers mean nothing. */
const textsAndLargeNumbers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** A JSON text in which whole numbers that no double holds are texts. Their digits would change as soon as somebody reads them. */
export function withExactNumbers(json: string): string {
  return json.replaceAll(textsAndLargeNumbers, (found) =>
    found.startsWith('"') || BigInt(found) === BigInt(Number(found)) ? found : `"${found}"`,
  );
}

/** Whether a value's numbers are the same when they are written and read again, digit by digit. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === "number") return isExact(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(hasExactNumbers);
}

function isExact(number: number): boolean {
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return true;
  const digits = JSON.stringify(number);
  return !/^-?\d+$/.test(digits) || BigInt(digits) === BigInt(number);
}
