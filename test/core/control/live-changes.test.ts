import { expect, test } from "vitest";
import { call } from "../../support/calls.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import { type Controlled, controlled } from "./controlled.ts";

/** Watches the requests of a session. Gives what was sent so far. */
async function watch(
  session: Controlled,
  query: string,
): Promise<{ readonly text: () => string; readonly stop: () => void }> {
  const asked = call("GET", `/requests/live${query}`, { headers: { host: "localhost" } });
  const { body } = await session.answer(asked);
  if (body.kind !== "live") throw new Error("The answer is no stream.");
  let text = "";
  const write = (data: string | Uint8Array): boolean => {
    text += String(data);
    return true;
  };
  const { stop } = body.play({ write, finish: () => undefined });
  return { text: () => text, stop };
}

test.each<[string, (core: Controlled["core"]) => unknown]>([
  ["a row is written", ({ state }) => state.database.table("users")?.insert({ name: "Eve" })],
  ["a fault is planned", ({ state }) => state.faults.add({ status: 500 })],
  ["a fault is removed", ({ state }) => state.faults.remove("fault 1")],
  ["a script is added", ({ state }) => state.scripts.add({ name: "new", replies: [{}] })],
  ["a session begins", ({ sessions }) => sessions.get("b")],
  ["a session is dropped", ({ sessions }) => sessions.delete("a")],
  ["a snapshot is made", ({ snapshots, state }) => snapshots.keep("new", () => state.snapshot())],
  ["fixtures are loaded again", (core) => core.load(core.fixtures)],
  ["fixtures are broken", (core) => core.refuseFixtures(new Error("no JSON"))],
])(
  "tells once that the set-up may have changed when %s, if that is asked for",
  async (_, change) => {
    const timers = new HandTimers();
    const session = controlled({ timers });
    const told = await watch(session, "?changes=true");
    const untold = await watch(session, "");
    const tick = 300;
    timers.advance(tick);
    expect(told.text()).not.toContain("changed");
    await change(session.core);
    for (let turn = 0; turn < 4; turn++) timers.advance(tick);
    expect(told.text().match(/^event: changed\ndata: \{\}$/gm)).toHaveLength(1);
    expect(untold.text()).not.toContain("changed");
    told.stop();
  },
);
