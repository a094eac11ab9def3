import { readVariable } from "./environment-options.ts";
import { longestSessionId } from "../../core/emulator/session-address.ts";
import { OptionValueError, readKey } from "./option-values.ts";
import type { ValueOption } from "./start-options.ts";

/** The options of `export` as they were given; what is left out was not given. */
export interface ExportFlags {
  readonly url?: string;
  readonly session?: string;
  readonly controlToken?: string;
}

/** The options of `export`, in the order in which help shows them. */
export const exportOptions: readonly ValueOption[] = [
  {
    name: "url",
    value: "<url>",
    secret: true,
    description: "the server (default: BACKLOT_URL, else http://127.0.0.1:4010)",
    read: readUrl,
  },
  {
    name: "session",
    value: "<id>",
    description: "whose state (default: that of the base session)",
    read: readSession,
  },
  {
    name: "control-token",
    value: "<t>",
    secret: true,
    description: "what guards the control API (default: BACKLOT_CONTROL_TOKEN)",
    read: readKey,
  },
];

/** The options that the environment has where the command line has none. An empty variable counts as unset. */
export function exportFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): ExportFlags {
  const { BACKLOT_URL: url = "", BACKLOT_CONTROL_TOKEN: controlToken = "" } = env;
  return {
    ...(url === "" ? {} : { url: readVariable("BACKLOT_URL", url, urlOption) }),
    ...(controlToken === ""
      ? {}
      : { controlToken: readVariable("BACKLOT_CONTROL_TOKEN", controlToken, tokenOption) }),
  };
}

const urlOption = { secret: true, read: readUrl } as const;
const tokenOption = { secret: true, read: readKey } as const;

/** Reads where a server is; without the slashes at its end. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.search === "" && url.hash === "" && url.username === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new OptionValueError("Give the server's URL, such as http://127.0.0.1:4010.");
}

function readSession(text: string): string {
  if (text !== "" && text.length <= longestSessionId) return text;
  throw new OptionValueError(`Give a session's id, 1 to ${longestSessionId} characters.`);
}
