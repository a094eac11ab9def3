import { JsonPositions } from "../../../core/fixture-set/json/json-positions.ts";
import { showPath } from "../../../core/schema/json.ts";
import { styleFor } from "../../node/terminal-style.ts";
import type { ImportRemark } from "../extras.ts";
import type { Io } from "../io.ts";

/** The most remarks of one kind that are written in full. More of them share the line of the first. */
const mostOfOneKind = 2;

/** The most further places of one kind that are named. */
const mostNamed = 5;

/**
 * Reports what could not be converted, one line each: file, line and column, the place in its structure, the reason.
 * Many remarks of one kind are one line: the first, and where the others are.
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
    for (const { file: own = file, path, message } of isSummed ? kind.slice(0, 1) : kind) {
      const at = positions?.placeOf({ path, at: "key" });
      const place = at === undefined ? own : `${own}:${at.line}:${at.column}`;
      const within = path.length === 0 ? "" : `${showPath(path)}: `;
      const others = isSummed ? ` ${restOf(kind.slice(1))}` : "";
      stderr.write(`${yellow("note:")} ${place}: ${within}${message}${others}\n`);
    }
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
  return `(And ${rest.length} more such${named === "" ? "" : `: ${named}${more}`})`;
}
