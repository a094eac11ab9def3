/** Whole numbers of 16 digits or more, which a double may not hold, and texts, in which numbers mean nothing. */
const textsAndLargeNumbers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** A JSON text in which whole numbers that no double holds are texts. Their digits would change as soon as somebody reads them. */
export function withExactNumbers(json: string): string {
  return json.replaceAll(textsAndLargeNumbers, (found) =>
    found.startsWith('"') || BigInt(found) === BigInt(Number(found)) ? found : `"${found}"`,
  );
}
