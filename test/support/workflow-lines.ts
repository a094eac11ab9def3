import { parse } from "yaml";
import { readIdly } from "../../scripts/reference/command-line.ts";

/** The command lines of a workflow of GitHub (`run`) or a pipeline of GitLab (`script`), in order. */
export function workflowLines(yaml: string): string[] {
  return linesIn(parse(yaml));
}

function linesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== "run" && key !== "script") return linesIn(inner);
    return [inner].flat().flatMap((text) => String(text).trim().split("\n"));
  });
}

/** Reads a line that calls Backlot as the command line would. Throws where it refuses it; nothing is run. */
export async function readAsBacklot(line: string): Promise<void> {
  const [, , ...words] = line.split(" ");
  await readIdly(words);
}
