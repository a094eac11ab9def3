import type { Core } from "../../../core/emulator/core.ts";
import { entryPoints } from "../curl-lines.ts";

/** What clients commonly refuse to start without is given where nothing is asked for, too. */
const anyKeys = { apiKey: "local-key", token: "local-token" };

/** The variables by which a command finds an emulator that answers at `url`; undefined what it is not to have. */
export function commandEnvironment(
  core: Core,
  url: string,
): Readonly<Record<string, string | undefined>> {
  const { apiKeys, controlToken } = core.settings;
  const { chatUrl, token } = entryPoints(core, url);
  return {
    OPENAI_BASE_URL: chatUrl,
    OPENAI_API_KEY: apiKeys?.[0] ?? anyKeys.apiKey,
    BACKLOT_URL: url,
    AUTHORIZATION_TOKEN: token ?? anyKeys.token,
    BACKLOT_CONTROL_TOKEN: controlToken,
    // A Backlot that the command starts would write to the same file, and this one over it.
    BACKLOT_EXPORT_ON_EXIT: undefined,
  };
}
