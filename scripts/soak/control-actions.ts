import { bodyOf, expect, expectDone } from "./expect.ts";
import { journalSize, maxSessions } from "./fixtures.ts";
import type { Visitor } from "./visitor.ts";

const control = "/__backlot";

export async function readJournal(visitor: Visitor): Promise<void> {
  const path = `/rest/items/${1 + visitor.below(100)}`;
  await visitor.ask({ method: "GET", path });
  const answer = await visitor.ask({ method: "GET", path: `${control}/requests` });
  const { requests } = bodyOf(answer, 200);
  expect(requests.length <= journalSize, "a bounded journal", answer);
  // Not always the last: a stream that was left before is noted when the server learns of it.
  const isNoted = requests.some((entry) => entry.path.endsWith(path));
  const isOwn = requests.every((entry) => entry.session === visitor.session);
  expect(isNoted && isOwn, "the request in the journal, and no other session's", answer);
  expect(!answer.text.includes("local-token"), "no keys in the journal");
}

export async function reset(visitor: Visitor): Promise<void> {
  expectDone(await visitor.ask({ method: "POST", path: `${control}/reset` }));
  visitor.forget();
}

export async function resetBase(visitor: Visitor): Promise<void> {
  expectDone(await visitor.askBase({ method: "POST", path: `${control}/reset` }));
}

export async function replaceTable(visitor: Visitor): Promise<void> {
  const rows = Array.from({ length: visitor.below(200) }, (_, id) => ({ id, text: "again" }));
  const path = `${control}/tables/notes`;
  expectDone(await visitor.ask({ method: "PUT", path, body: rows }));
  const answer = await visitor.ask({ method: "GET", path });
  expect(bodyOf(answer, 200).length === rows.length, `${rows.length} rows`, answer);
}

/** The state out, in again, and out again as it was. */
export async function carryState(visitor: Visitor): Promise<void> {
  const path = `${control}/state`;
  const out = await visitor.ask({ method: "GET", path });
  const state = bodyOf(out, 200);
  visitor.move();
  expectDone(await visitor.ask({ method: "PUT", path, body: state }));
  const again = await visitor.ask({ method: "GET", path });
  bodyOf(again, 200);
  expect(again.text === out.text, "the same state after its way out and in");
  expectDone(await visitor.ask({ method: "DELETE", path: forgetPath(visitor) }));
  visitor.move();
}

function forgetPath(visitor: Visitor): string {
  return `${control}/sessions/${visitor.session}`;
}

/** Forgets the session, which has to be there for it. */
export async function forget(visitor: Visitor): Promise<void> {
  await visitor.ask({ method: "GET", path: "/rest/items/1" });
  expectDone(await visitor.askBase({ method: "DELETE", path: forgetPath(visitor) }));
  visitor.move();
}

/** Leaves the session to those that are used least, of which too many are forgotten. */
export async function move(visitor: Visitor): Promise<void> {
  visitor.move();
  const answer = await visitor.askBase({ method: "GET", path: `${control}/sessions` });
  expect(bodyOf(answer, 200).sessions.length <= maxSessions, "a bounded number of sessions");
}
