/** Faults that are planned at run time, snapshots by name, and journals that are watched while they grow. */
import type { Answer } from "./client.ts";
import { bodyOf, eventsOf, expect, expectDone } from "./expect.ts";
import type { Visitor } from "./visitor.ts";

const control = "/__backlot";
const row = "/rest/items/1";

/** What goes silent is not waited for longer than this. */
const graceMs = 300;

type Effect = readonly [rule: object, sign: (answer: Answer) => boolean];

const effects: readonly Effect[] = [
  [{ status: 503, retryAfterMs: 1 }, ({ status, end }) => status === 503 && end === "whole"],
  [{ fault: "reset" }, ({ status, end }) => status === 0 && end === "broken"],
  [{ fault: "hang" }, ({ status, end }) => status === 0 && end === "silent"],
  [{ delayMs: { median: 5, sigma: 0.5 } }, ({ status, end }) => status === 200 && end === "whole"],
];

/** A fault for the next request to a table; the one after it is answered as ever. */
export async function planFault(visitor: Visitor): Promise<void> {
  const [effect, sign] = visitor.pick(effects);
  const rule = { table: "items", times: 1, ...effect };
  bodyOf(await visitor.ask({ method: "POST", path: `${control}/faults`, body: rule }), 201);
  const patience = "fault" in effect ? { graceMs } : {};
  const failed = await visitor.ask({ method: "GET", path: row, ...patience });
  expect(sign(failed), `the planned fault ${JSON.stringify(effect)}`, failed);
  bodyOf(await visitor.ask({ method: "GET", path: row }), 200);
}

/** A snapshot under a name that others use as well, a write, and the way back. */
export async function snapshot(visitor: Visitor): Promise<void> {
  const path = `${control}/snapshots/${visitor.session}`;
  expectDone(await visitor.ask({ method: "PUT", path }));
  await visitor.ask({ method: "PATCH", path: row, body: { price: -1 } });
  expectDone(await visitor.ask({ method: "POST", path: `${path}/restore` }));
  const answer = await visitor.ask({ method: "GET", path: row });
  expect(bodyOf(answer, 200).result[0]?.price !== -1, "the row as it was before", answer);
  expectDone(await visitor.ask({ method: "DELETE", path }));
  visitor.move();
}

/** Watches the journal, in which a request of its own has to show up, and goes away. */
export async function watchJournal(visitor: Visitor): Promise<void> {
  const watched = visitor.ask({ method: "GET", path: `${control}/requests/live`, graceMs });
  const path = `/rest/items/${1 + visitor.below(100)}`;
  // The first to come may be there before the watching begins.
  for (let times = 0; times < 5; times++) await visitor.ask({ method: "GET", path });
  const answer = await watched;
  const seen = eventsOf(answer).some((event) => event.includes(path));
  expect(answer.end === "silent" && seen, `${path} in the live journal`, answer);
}
