import { Core } from "../../../core/emulator/core.ts";
import type { Extras } from "../../../core/emulator/extras.ts";
import { fetchFrom } from "../../../core/emulator/fetch.ts";
import type { EmulatorSettings } from "../../../core/fixture-set/settings.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { type Answer, type Patience, aborted, deadlineOf, noHead, readAnswer } from "./answer.ts";
import { type ComparedRequest, fetchRequest } from "./step.ts";

/** The emulator that the service is compared with. */
export interface Emulated {
  readonly ask: (asked: ComparedRequest, patience: Patience) => Promise<Answer>;
}

const origin = "http://localhost";

/** Accepted where any key is. */
const anyKey = "backlot-verify";

/** Makes an emulator of fixtures that waits for nothing. Throws where settings do not fit them. */
export function emulatedService(
  fixtures: FixtureSet,
  settings: EmulatorSettings,
  extras: Extras,
): Emulated {
  let failure: unknown;
  const core = new Core(
    fixtures,
    { ...settings, speed: 0, latency: 0 },
    { extras, observer: { failed: (error) => (failure = error) } },
  );
  return {
    ask: async (asked, patience) => {
      failure = undefined;
      const deadline = deadlineOf(patience);
      try {
        const answer = await fetchAnswer(core, asked, { deadline, patience });
        // A bug of ours is not to be taken for what the service does.
        if (failure !== undefined) throw failure;
        return answer;
      } finally {
        deadline.end();
      }
    },
  };
}

async function fetchAnswer(
  core: Core,
  asked: ComparedRequest,
  { deadline, patience }: { deadline: ReturnType<typeof deadlineOf>; patience: Patience },
): Promise<Answer> {
  const { settings } = core;
  const { basePaths, restBasePaths, apiKeys, tokens } = settings;
  const isChat = asked.interface === "chat";
  const base = isChat ? (basePaths[0] ?? "") : `${restBasePaths[0] ?? ""}/rest`;
  const key = (isChat ? apiKeys?.[0] : tokens?.[0]) ?? anyKey;
  const request = fetchRequest(asked, { base: `${origin}${base}`, key, signal: deadline.signal });
  const answered = fetchFrom(core, { input: request, inProcess: true }).catch(() => undefined);
  const head = await Promise.race([answered, aborted(deadline.signal)]);
  if (head === "hang") return noHead("hang");
  if (head === undefined) return noHead(deadline.signal.aborted ? "hang" : "reset");
  return readAnswer(head, deadline, patience);
}
