import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { StateProfiles } from "../../../core/emulator/state/export-state.ts";
import { callOf } from "./curl.ts";
import { faultLike } from "./fault-like.ts";

/** The values from which a test of a failure is made, besides the request. */
interface FailureSetting {
  /** The script that answered, if one did. */
  readonly script: Script | undefined;
  readonly profiles: StateProfiles;
}

/** How long the test waits for an answer that never ends, in milliseconds. */
const patienceMs = 1_000;

/** A file with a test for Vitest that fails a request as this one failed. It needs no fixtures of its own. */
export function failureTest(entry: JournalEntry, { script, profiles }: FailureSetting): string {
  const { method, path, status, ended, fault } = entry;
  const isPlanned = fault !== null || script === undefined;
  const end = status >= 400 ? { status } : { ended };
  const signal = isEndless(entry) ? `AbortSignal.timeout(${patienceMs})` : undefined;
  const call = callOf(entry, "backlot.fetch", signal);
  const reading = `const answer = async () => {
    const response = ${call.replaceAll("\n", "\n    ")};
    await response.text();
    return response.status;
  };`;
  const expected =
    isEndless(entry) || isBroken(entry)
      ? "await expect(answer()).rejects.toThrow();"
      : `expect(await answer()).toBe(${status});`;
  const lines = [
    ...(isPlanned ? [`backlot.faults.add(${shown(faultLike(entry))});`] : []),
    "// Your app in place of this, with backlot.fetch for its requests.",
    reading,
    expected,
    `await expect.poll(() => backlot.journal).toHaveBeenAnswered(${shown({ method, path, ...end })});`,
  ];
  return `${importOf("createTest", "backlot/vitest")}
${importOf("expect", "vitest")}

const test = createTest(${JSON.stringify(optionsFor(entry, { script, profiles }), undefined, 2)});

test(${JSON.stringify(`${method} ${path} ${status >= 400 ? `gets ${status}` : `is ${ended}`}`)}, async ({ backlot }) => {
${lines.map((line) => `  ${line}`).join("\n")}
});
`;
}

function importOf(name: string, module: string): string {
  return `import { ${name} } from ${JSON.stringify(module)};`;
}

/**
 * The options of an emulator that fails in the same way: the reply that was given, and no keys, which the journal
 * hides.
 */
function optionsFor(entry: JournalEntry, { script, profiles }: FailureSetting): object {
  const given = script?.replies[entry.reply ?? 0];
  const chats =
    script === undefined || given === undefined
      ? []
      : [{ name: script.name, ...(script.when && { when: script.when }), reply: given }];
  // At speed 0, the chunks before a stall come at once, so that the test waits only for the stall.
  const speed = isEndless(entry) ? { speed: 0 } : {};
  return { fixtures: { chats }, profiles, auth: false, ...speed };
}

/** Whether the client waits for ever. */
function isEndless({ ended }: JournalEntry): boolean {
  return ended === "hung" || ended === "stalled";
}

/** Whether the client gets an error in place of an answer or of its end. */
function isBroken({ status, ended }: JournalEntry): boolean {
  return status === 0 || ended === "reset";
}

/** A value as code within a test. */
function shown(value: object): string {
  return JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ");
}
