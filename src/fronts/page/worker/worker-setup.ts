import { cannotStart } from "../check-script.ts";
import { type EmulatorSetup, setupHash } from "./script/messages.ts";

/** A setup as it is sent to the worker. */
export interface SentSetup {
  readonly text: string;
  /** Tells one setup from another. */
  readonly hash: string;
  /** The parts of the script that it needs besides those that all need. */
  readonly parts: readonly string[];
}

/** Puts fixtures and settings into words. Rejects with `ERR_OPTION_INVALID` where JSON has none. */
export async function sentSetup(
  setup: EmulatorSetup,
  asked: readonly string[],
): Promise<SentSetup> {
  const text = textOf(setup);
  const needed = new Set([...asked, ...partsFor(text)]);
  return { text, hash: await setupHash(text), parts: [...needed].toSorted() };
}

function textOf(setup: EmulatorSetup): string {
  try {
    return JSON.stringify(setup);
  } catch (cause) {
    throw cannotStart(
      "the fixtures cannot be written as JSON. Give a document of plain values.",
      cause,
    );
  }
}

/** By what stands in it: what is loaded in vain costs little, what is missing cannot be loaded later. */
function partsFor(text: string): readonly string[] {
  const hasTemplates = /\{\{|\{%/.test(text);
  const hasFaker = hasTemplates && text.includes("faker");
  return [...(hasTemplates ? ["templates"] : []), ...(hasFaker ? ["faker"] : [])];
}
