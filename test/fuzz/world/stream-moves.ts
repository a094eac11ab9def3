import { type Draw, move, sessionIds } from "./asking.ts";
import { slowAnswer } from "./real.ts";

// Streams that go on while other things happen.

/** How many run at the same time, at most. */
const mostOpen = 4;

export const beginStream: Draw = (random) => {
  const session = random.pick(sessionIds);
  const reads = random.chance(0.5);
  return move({ beginStream: session, reads }, async (model, real) => {
    // A fault is another move's.
    const isPlanned = model.peek(session).faults.some((fault) => fault.interface === "chat");
    if (isPlanned || real.streams.length >= mostOpen) return undefined;
    const now = model.session(session);
    const step = await real.stream(session, reads);
    if (step === undefined) return "a stream does not begin";
    model.open.add(step);
    now.journal.set(step, { method: "POST", status: undefined, isSure: false });
    return undefined;
  });
};

/** Who reads it at last gets all of it, whatever has happened meanwhile. */
export const endStream: Draw = () =>
  move({ endStream: "the first" }, async (model, real) => {
    const stream = real.streams.shift();
    if (stream === undefined) return undefined;
    const [answer] = await stream.answer.whole();
    model.open.delete(stream.step);
    return answer === undefined ? "a stream breaks" : wrongStream(answer);
  });

/** What is wrong with a stream of the slow script that came to its end. */
export function wrongStream({ text }: { readonly text: string }): string | undefined {
  const events = text.split("\n\n");
  if (events.at(-2) !== "data: [DONE]") return `a slow stream ends with ${text.slice(-100)}`;
  const content = events
    .slice(0, -2)
    .map((event) => JSON.parse(event.slice("data: ".length)).choices[0]?.delta.content ?? "")
    .join("");
  return content === slowAnswer ? undefined : `a slow stream says ${content}`;
}
