import { counted } from "../errors/show.ts";
import type { NamedCassette } from "./cassette.ts";
import type { PlayCounts } from "./play-counts.ts";

/** The most recordings that are named. */
const mostNamed = 20;

/** Lists the recordings that no request has used, and says how to record them again. Undefined: all were used. */
export function describeUnused(
  cassettes: readonly NamedCassette[],
  plays: PlayCounts,
  { of = "", how }: { readonly of?: string; readonly how: string },
): string | undefined {
  const unused = cassettes.flatMap(({ name, recordings }) =>
    recordings.flatMap(({ request: { method, path } }, index) =>
      plays.of(name, index) > 0 ? [] : [`  ${name} ${index + 1}: ${method} ${path}`],
    ),
  );
  if (unused.length === 0) return undefined;
  const [were, them] = unused.length === 1 ? ["was", "it"] : ["were", "them"];
  const more = unused.length - mostNamed;
  return [
    `${counted(unused.length, "recording")}${of} ${were} not used:`,
    ...unused.slice(0, mostNamed),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `Delete ${them}, or record anew with ${how}.`,
  ].join("\n");
}
