import type { Reply } from "../http/reply.ts";
import { failed, ok, type Result } from "../errors/result.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { showText } from "../errors/show.ts";
import { refuse } from "./errors.ts";
import type { Parameter } from "./route.ts";

/** Reads a query as a form. Parameters that are unknown, or come twice, are refused. */
export function readQuery(
  query: string,
  known: readonly Parameter[],
): Result<ReadonlyMap<string, string>, Reply> {
  const names = known.map(({ name }) => name);
  const read = new Map<string, string>();
  // The constructor would drop a leading "?", which is part of the first name here.
  for (const [name, value] of new URLSearchParams(query.startsWith("?") ? `&${query}` : query)) {
    if (!names.includes(name)) {
      const advice =
        names.length === 0
          ? " This route takes none."
          : didYouMean(name, names) || ` Use ${names.join(", ")}.`;
      return failed(
        refuse("unknown_parameter", {
          message: `Cannot read the query: there is no parameter ${showText(name)}.${advice}`,
        }),
      );
    }
    if (read.has(name)) {
      const message = `Cannot read the query: the parameter ${name} is given more than once. Give it once.`;
      return failed(refuse("repeated_parameter", { message }));
    }
    read.set(name, value);
  }
  return ok(read);
}
