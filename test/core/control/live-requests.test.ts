import { interfaces } from "../../../src/core/interface.ts";
import { expect, test } from "vitest";
import type { Observer } from "../../../src/core/emulator/observer.ts";
import type { Playback, Sink } from "../../../src/core/http/scheduler.ts";
import { call } from "../../support/calls.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import type { JournalEntry } from "../../../src/core/emulator/journal/entry.ts";
import { askControl, type Controlled, controlled, entry } from "./controlled.ts";

/** A stream whose reader takes what it is given, or nothing more after so many writes. */
interface Reading {
  /** Those that were sent until now, when all that is due has been. */
  readonly events: () => readonly string[];
  readonly text: () => string;
  /** Whether its connection was broken. */
  readonly isDropped: () => boolean;
  readonly playback: Playback;
  readonly timers: HandTimers;
  /** What was written, each with its own write. */
  readonly parts: readonly string[];
  /** Reads so many writes more. */
  readonly read: (writes: number) => void;
  /** From now on writing to it throws. */
  readonly fail: () => void;
}

interface Asking {
  readonly query?: string;
  readonly lastEventId?: string;
  /** How many writes the reader takes before it is slow. Default: all. */
  readonly takes?: number;
}

/** A session whose journal has some entries, and keeps at most so many. */
interface Watched {
  readonly session: Controlled;
  readonly timers: HandTimers;
}

/** Milliseconds after which all is sent that can be. */
const due = 10;

const decoder = new TextDecoder();

function journalOf(
  entries: readonly JournalEntry[] = [],
  most: number = 1000,
  observer: Observer = {},
): Watched {
  const timers = new HandTimers();
  const settings = { journalSize: most };
  return { session: controlled({ session: "live", entries, timers, settings, observer }), timers };
}

async function watch({ session, timers }: Watched, asking: Asking = {}): Promise<Reading> {
  const { query = "", lastEventId } = asking;
  const last = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const asked = call("GET", `/requests/live${query}`, { headers: { host: "localhost", ...last } });
  const reply = await session.answer(asked);
  if (reply.body.kind !== "live") throw new Error(`The reply is ${JSON.stringify(reply)}.`);
  let text = "";
  let left = asking.takes ?? Infinity;
  const parts: string[] = [];
  let isBroken = false;
  const write: Sink["write"] = (data) => {
    if (isBroken) throw new Error("broken");
    const part = typeof data === "string" ? data : decoder.decode(data, { stream: true });
    text += part;
    parts.push(part);
    left--;
    return left > 0;
  };
  const told: string[] = [];
  let looked = 0;
  let isDropped = false;
  const finish: Sink["finish"] = (how) => {
    isDropped = how === "drop";
  };
  const playback = reply.body.play({ write, finish });
  return {
    text: () => text,
    isDropped: () => isDropped,
    events: () => {
      timers.advance(due);
      const found = text.slice(looked).matchAll(/^event: (\w+)(?:\nid: (\d+))?/gm);
      for (const [, ...words] of found) told.push(words.join(" ").trim());
      looked = text.length;
      // Those that only arrive have no id.
      return told.filter((event) => event !== "request");
    },
    playback,
    timers,
    parts,
    fail: () => {
      isBroken = true;
    },
    read: (more) => {
      left = more;
      playback.resume();
    },
  };
}

const three = [entry({ id: "1" }), entry({ id: "2", status: 404 }), entry({ id: "3" })];

/** How a request ends. */
const over = {
  ended: "complete",
  chunksSent: 0,
  bytes: 0,
  aborted: false,
  problem: undefined,
  durationMs: 1,
} as const;

/** What no summary has. */
const long = [
  ["headers", "body", "bodyText", "response", "usage", "misses", "missed", "matched"],
  ["alsoMatching", "plan", "keyProblem", "closestRecording"],
].flat();

/** What a line of a log says of an entry. */
function summaryOf(given: Partial<JournalEntry>): object {
  const all = Object.entries(entry(given));
  return Object.fromEntries(all.filter(([name]) => !long.includes(name)));
}

test("tells each request in a summary without headers and bodies, byte for byte, and nothing of before", async () => {
  const journal = journalOf([entry({ id: "1" })]);
  const reading = await watch(journal);
  journal.session.record(entry({ path: "/rest/a\nb\u2028", body: { name: "Ada" } }));
  expect(reading.text()).toBe("retry: 1000\n\n");
  journal.timers.advance(due);
  const told = { id: "2", session: "live", path: "/rest/a\nb\u2028" };
  expect(reading.text()).toBe(
    `retry: 1000\n\nevent: request\nid: 2\ndata: ${JSON.stringify(summaryOf(told))}\n\n`,
  );
  expect(reading.playback.framesSent()).toBe(2);
});

test("tells whole entries with bodies=true", async () => {
  const journal = journalOf();
  const reading = await watch(journal, { query: "?bodies=true" });
  const plain = await watch(journal, { query: "?bodies=false" });
  const response = { headers: entry({}).response?.headers ?? {}, body: { id: 7 } };
  const sent = {
    body: { name: "Ada" },
    headers: { "x-tenant": "acme" },
    response: { ...response, truncated: false, frames: null },
  };
  journal.session.record(entry(sent));
  expect([reading.events(), plain.events()]).toEqual([["request 1"], ["request 1"]]);
  const [, data = "{}"] = /^data: (.*)$/m.exec(reading.text()) ?? [];
  expect(JSON.parse(data)).toEqual(entry({ ...sent, id: "1", session: "live" }));
  expect(plain.text()).not.toMatch(/Ada|acme|"response"/);
});

test("tells a request as it arrives where it takes longer than a few milliseconds, and as it ends", async () => {
  const journal = journalOf();
  const reading = await watch(journal);
  const { journal: kept } = journal.session.core.sessions.get("live");
  const asked = call("GET", "/rest/slow");
  const exchange = kept.begin(asked, { interface: interfaces.tables }, 0, 0);
  journal.timers.advance(due);
  expect(reading.text()).toMatch(/^event: request\ndata: \{"id":"1",.*"ended":"pending",.*\n\n$/m);
  if (exchange === undefined) throw new Error("The journal is off.");
  kept.answer(exchange, asked, { status: 200, headers: {}, body: { kind: "none" } });
  kept.end(exchange, over);
  expect(reading.events()).toEqual(["request 1"]);
});

test("sends what happens within a few milliseconds in one write", async () => {
  const journal = journalOf();
  const reading = await watch(journal);
  for (let count = 0; count < 5; count++) journal.session.record(entry({}));
  journal.timers.advance(4);
  expect(reading.parts).toHaveLength(1);
  expect(reading.events()).toHaveLength(5);
  expect(reading.parts).toHaveLength(2);
  journal.session.record(entry({}));
  expect([reading.events().length, reading.parts.length]).toEqual([6, 3]);
});

test("tells all of 2,000 requests in quick succession, also where the journal keeps ten", async () => {
  const journal = journalOf([], 10);
  const reading = await watch(journal);
  for (let count = 0; count < 2000; count++) {
    journal.session.record(entry({}));
    if (count % 7 === 0) journal.timers.advance(1);
  }
  const all = Array.from({ length: 2000 }, (_, index) => `request ${index + 1}`);
  expect(reading.events()).toEqual(all);
});

test.each([
  ["?replay=true", undefined, ["request 1", "request 2", "request 3"]],
  ["?replay=false", undefined, []],
  ["?since=2", undefined, ["request 3"]],
  ["?since=2&replay=false", undefined, []],
  ["?since=2024-01-01", undefined, ["request 1", "request 2", "request 3"]],
  ["?since=2025-01-01", undefined, []],
  ["?replay=true&status=404", undefined, ["request 2"]],
  ["?replay=true", "2", ["request 3"]],
  ["", "0", ["request 1", "request 2", "request 3"]],
  ["", "3", []],
  ["", "", []],
])("begins by %s and the last id %s with %j", async (query, lastEventId, events) => {
  const asking = lastEventId === undefined ? { query } : { query, lastEventId };
  expect((await watch(journalOf(three), asking)).events()).toEqual(events);
});

test("says that the journal began anew to a client that knows a later request", async () => {
  const reading = await watch(journalOf(three), { lastEventId: "57" });
  expect(reading.events()).toEqual(["cleared 0", "request 1", "request 2", "request 3"]);
});

test("tells how many requests are lost to a client that comes back too late", async () => {
  const journal = journalOf([], 2);
  for (let count = 0; count < 5; count++) journal.session.record(entry({}));
  const reading = await watch(journal, { lastEventId: "1" });
  expect(reading.events()).toEqual(["missed", "request 4", "request 5"]);
  expect(reading.text()).toContain('event: missed\ndata: {"count":2}\n\n');
});

test.each([
  ["2", ["missed", "cleared 3", "request 4"]],
  ["3", ["cleared 3", "request 4"]],
  ["4", []],
])("tells a client that knows %s that the journal was emptied meanwhile", async (id, events) => {
  const journal = journalOf(three);
  journal.session.core.sessions.get("live").journal.clear();
  journal.session.record(entry({}));
  const reading = await watch(journal, { lastEventId: id });
  expect(reading.events()).toEqual(events);
});

test("leaves out what a filter does not let through", async () => {
  const journal = journalOf();
  const reading = await watch(journal, { query: "?interface=chat&status=200" });
  journal.session.record(entry({}));
  journal.session.record(entry({ interface: "chat" }));
  journal.session.record(entry({ interface: "chat", status: 500 }));
  expect(reading.events()).toEqual(["request 2"]);
});

test("keeps for a slow reader what it has not read, also where the journal does not", async () => {
  const journal = journalOf([], 2);
  const reading = await watch(journal, { takes: 2 });
  journal.session.record(entry({}));
  expect(reading.events()).toEqual(["request 1"]);
  for (let count = 0; count < 4; count++) journal.session.record(entry({}));
  expect(reading.events()).toEqual(["request 1"]);
  reading.read(1);
  const all = ["request 1", "request 2", "request 3", "request 4", "request 5"];
  expect(reading.events()).toEqual(all);
});

test("tells a reader that is 16 MB behind how many events it missed, and no other one", async () => {
  const journal = journalOf();
  const query = "?bodies=true";
  const slow = await watch(journal, { query, takes: 1 });
  const brisk = await watch(journal, { query });
  const sent: string[] = [];
  for (let count = 1; count <= 5; count++) {
    journal.session.record(entry({ body: "x".repeat(9_000_000) }));
    sent.push(`request ${count}`);
    expect(brisk.events()).toEqual(sent);
  }
  slow.read(Infinity);
  expect(slow.events()).toEqual(["request 1", "request 2", "missed"]);
  expect(slow.text()).toMatch(/event: missed\ndata: \{"count":3\}\n\n$/);
  journal.session.record(entry({}));
  expect(slow.events().at(-1)).toBe("request 6");
  expect(brisk.events()).toEqual([...sent, "request 6"]);
  expect(slow.isDropped()).toBe(false);
});

test("tells a reader that is far behind that the journal was emptied, and what it missed", async () => {
  const journal = journalOf();
  const reading = await watch(journal, { query: "?bodies=true", takes: 1 });
  for (let count = 0; count < 3; count++) {
    journal.session.record(entry({ body: "x".repeat(9_000_000) }));
    journal.timers.advance(due);
  }
  journal.session.core.sessions.get("live").journal.clear();
  journal.session.record(entry({}));
  journal.timers.advance(due);
  reading.read(Infinity);
  expect(reading.events()).toEqual(["request 1", "request 2", "cleared 3", "missed"]);
  expect(reading.text()).toContain('{"count":2}');
});

test.each(["", "?bodies=true"])(
  "makes the text of a request once for all who watch%s",
  async (query) => {
    const journal = journalOf();
    const readings = await Promise.all([1, 2, 3].map(() => watch(journal, { query })));
    let made = 0;
    const label = (): string => `made ${++made} times`;
    journal.session.record(entry({}), 0, { label, outcome: () => ({}), details: () => ({}) });
    for (const reading of readings) {
      reading.events();
      expect(reading.text()).toContain('"answeredBy":"made 1 times"');
    }
  },
);

test("sends a large event in parts, with nothing between them and no character cut", async () => {
  const journal = journalOf();
  const reading = await watch(journal, { query: "?bodies=true", takes: 2 });
  const name = "x😀".repeat(200_000);
  journal.session.record(entry({ body: { name } }));
  expect(reading.events()).toEqual(["request 1"]);
  expect(reading.text().length).toBeLessThan(300_000);
  journal.session.record(entry({}));
  journal.timers.advance(20_000);
  expect(reading.text()).not.toContain("still here");
  reading.read(1);
  reading.read(Infinity);
  expect(reading.events()).toEqual(["request 1", "request 2"]);
  expect(reading.parts.some((part) => /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(part))).toBe(false);
  expect(reading.text()).toContain(name);
});

test("lets 256 watch, refuses one more, and takes another when one has gone", async () => {
  const journal = journalOf();
  const readings = await Promise.all(Array.from({ length: 256 }, () => watch(journal)));
  const refused = await askControl("GET /requests/live", journal.session);
  expect([refused.status, refused.code]).toEqual([503, "too_many_watchers"]);
  readings[7]?.playback.stop();
  expect((await watch(journal, { query: "?replay=true" })).text()).toBe("retry: 1000\n\n");
});

test("tells those under way to a client that asks for earlier requests, and then their end", async () => {
  const journal = journalOf(three);
  const { journal: kept } = journal.session.core.sessions.get("live");
  const asked = call("GET", "/rest/slow");
  const exchange = kept.begin(asked, { interface: interfaces.tables }, 0, 0);
  const fresh = await watch(journal);
  const reading = await watch(journal, { query: "?since=2" });
  reading.events();
  expect(reading.text().match(/^id: .*|"ended":"\w+"/gm)).toEqual([
    "id: 3",
    '"ended":"complete"',
    '"ended":"pending"',
  ]);
  if (exchange === undefined) throw new Error("The journal is off.");
  kept.answer(exchange, asked, { status: 200, headers: {}, body: { kind: "none" } });
  kept.end(exchange, over);
  expect([fresh.events(), reading.events()]).toEqual([["request 4"], ["request 3", "request 4"]]);
});

test("is dropped, and others are not, where sending to it fails", async () => {
  const failures: unknown[] = [];
  const journal = journalOf([], 1000, { failed: (error) => failures.push(error) });
  const broken = await watch(journal, { takes: 1 });
  const other = await watch(journal);
  broken.read(Infinity);
  broken.fail();
  journal.session.record(entry({}));
  expect(other.events()).toEqual(["request 1"]);
  expect([broken.isDropped(), failures]).toEqual([true, [new Error("broken")]]);
});

test("stops again in the midst of catching up, and loses nothing by that", async () => {
  const body = "x".repeat(70_000);
  const large = ["1", "2", "3"].map((id) => entry({ id, body }));
  const journal = journalOf(large);
  const reading = await watch(journal, { query: "?replay=true&bodies=true", takes: 2 });
  expect(reading.events()).toEqual(["request 1"]);
  reading.read(1);
  expect(reading.events()).toEqual(["request 1", "request 2"]);
  journal.session.record(entry({}));
  reading.read(3);
  expect(reading.events()).toEqual(["request 1", "request 2", "request 3", "request 4"]);
});

test("tells all to a slow reader also where the journal was emptied meanwhile", async () => {
  const journal = journalOf(three, 3);
  const reading = await watch(journal, { query: "?replay=true", takes: 1 });
  journal.session.core.sessions.get("live").journal.clear();
  journal.session.record(entry({}));
  reading.read(Infinity);
  const all = ["request 1", "request 2", "request 3", "cleared 3", "request 4"];
  expect(reading.events()).toEqual(all);
});

test("tells that the journal was emptied, and goes on in a session that begins anew", async () => {
  const journal = journalOf(three);
  const reading = await watch(journal);
  journal.session.core.sessions.get("live").journal.clear();
  journal.session.record(entry({}));
  journal.session.core.sessions.begin("live", {});
  journal.session.record(entry({}));
  expect(reading.events()).toEqual(["cleared 3", "request 4", "cleared 0", "request 1"]);
});

test("tells the requests of a session that begins only afterwards", async () => {
  const journal = journalOf();
  const { sessions } = journal.session.core;
  sessions.delete("live");
  const reading = await watch(journal);
  expect(sessions.has("live")).toBe(false);
  journal.session.record(entry({}));
  expect(reading.events()).toEqual(["request 1"]);
});

test("is never silent for longer than 15 seconds, and holds nothing once it is stopped", async () => {
  const journal = journalOf();
  const { timers, playback, text } = await watch(journal);
  timers.advance(14_999);
  expect(text()).toBe("retry: 1000\n\n");
  timers.advance(15_001);
  expect(text()).toBe("retry: 1000\n\n: still here\n\n: still here\n\n");
  playback.stop();
  const before = text();
  journal.session.record(entry({}));
  timers.advance(due);
  expect([timers.pending, text()]).toEqual([0, before]);
});

test("says nothing to a client that does not read, and sets no timer for it", async () => {
  const { timers, text, read } = await watch(journalOf(), { takes: 1 });
  timers.advance(60_000);
  expect([text(), timers.pending]).toEqual(["retry: 1000\n\n", 0]);
  read(Infinity);
  timers.advance(15_000);
  expect(text()).toBe("retry: 1000\n\n: still here\n\n");
});

test.each([
  ["/requests/live?since=9", {}, "neither a time"],
  ["/requests/live?replay=yes", {}, "Use true, false."],
  ["/requests/live?limit=1", {}, "no parameter"],
  ["/requests/live", { "last-event-id": "x" }, "Last-Event-ID"],
  ["/requests?format=harr", {}, 'Did you mean "har"?'],
])("refuses %s with %j", async (path, headers, says) => {
  const answer = await askControl(`GET ${path}`, controlled({ entries: three }), { headers });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
});

test("gives only the head to HEAD", async () => {
  const { session } = journalOf();
  const reply = await session.answer(
    call("HEAD", "/requests/live", { headers: { host: "localhost" } }),
  );
  expect(reply).toMatchObject({ status: 200, body: { kind: "none" } });
});
