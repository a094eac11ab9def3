import { JsonPositions } from "../../../core/fixture-set/json/json-positions.ts";
import { showPath } from "../../../core/schema/json.ts";
import { styleFor } from "../../node/terminal-style.ts";
import type { ImportRemark } from "../extras.ts";
import type { Io } from "../io.ts";

/** The most remarks of one kind that are written in full. A last line says how many more there are, and where. */
const mostOfOneKind = 3;

/** The most further places of one kind that are named. */
const mostNamed = 5;

/**
 * Reports what could not be converted, one line each: file, line and column, the place in its structure, the reason.
 * Many remarks of one kind are summarised.
 */
export function writeRemarks(
  remarks: readonly ImportRemark[],
  { file, text }: { readonly file: string; readonly text: string | undefined },
  { stderr, env }: Pick<Io, "stderr" | "env">,
): void {
  const { yellow } = styleFor(stderr, env);
  // Positions are only computed if there are remarks.
  const positions =
    text === undefined || remarks.length === 0 ? undefined : new JsonPositions(text);
  for (const kind of byKind(remarks)) {
    const isSummed = kind.length > mostOfOneKind;
    const shown = isSummed ? kind.slice(0, mostOfOneKind - 1) : kind;
    for (const { file: own = file, path, message } of shown) {
      const at = positions?.placeOf({ path, at: "key" });
      const place = at === undefined ? own : `${own}:${at.line}:${at.column}`;
      const within = path.length === 0 ? "" : `${showPath(path)}: `;
      stderr.write(`${yellow("note:")} ${place}: ${within}${message}\n`);
    }
    if (isSummed) stderr.write(`${yellow("note:")} ${file}: ${restOf(kind.slice(shown.length))}\n`);
  }
}

/** Groups remarks whose messages differ only in names and numbers, in the order of the first of each group. */
function byKind(remarks: readonly ImportRemark[]): readonly (readonly ImportRemark[])[] {
  const kinds = new Map<string, ImportRemark[]>();
  for (const remark of remarks) {
    const kind = remark.message.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/g, "…");
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [remark]);
    else known.push(remark);
  }
  return [...kinds.values()];
}

function restOf(rest: readonly ImportRemark[]): string {
  const shown = rest.map(({ file, path }) => file ?? showPath(path));
  const places = [...new Set(shown)].filter((place) => place !== "");
  const named = places.slice(0, mostNamed).join(", ");
  const more = places.length > mostNamed ? ", …" : "";
  return `and ${rest.length} more such notes${named === "" ? "" : `: ${named}${more}`}`;
}
