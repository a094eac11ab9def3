import { functionName } from "../request/function-name.ts";
import type { Script, ScriptReply } from "../scripts/script.ts";

/** A script or a reply that no request can ever get, by what the script itself says. */
export interface NeverGiven {
  /** Keys and places from the script down. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a script has that no request can get, whatever the other scripts are. */
export function neverGiven(script: Script): readonly NeverGiven[] {
  return [...askedInVain(script), ...repliesInVain(script)];
}

function askedInVain({ name, when }: Script): readonly NeverGiven[] {
  const tool = when?.tool;
  if (tool === undefined || functionName(tool) === undefined) return [];
  const [script, asked] = [JSON.stringify(name), JSON.stringify(tool)];
  const message =
    `The script ${script} can never answer: no function can be called ${asked}, and a request that offers it is ` +
    'refused. Names have at most 64 letters, digits, "_" and "-".';
  return [{ path: ["when", "tool"], message }];
}

function repliesInVain({ name, times = Infinity, replies }: Script): readonly NeverGiven[] {
  const all: readonly ScriptReply[] = replies;
  return all.slice(times).map((_, index) => ({
    path: ["replies", times + index],
    message:
      `Reply ${times + index + 1} of the script ${JSON.stringify(name)} can never be given: its "times" is ${times}. ` +
      'Raise "times", or leave it out and say "after": "end".',
  }));
}
