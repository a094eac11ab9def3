import { expect, test } from "vitest";
import type { Playback, Sink } from "../../../src/core/http/scheduler.ts";
import { call } from "../../support/calls.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import type { JournalEntry } from "../../../src/core/emulator/journal/entry.ts";
import { askControl, type Controlled, controlled, entry } from "./controlled.ts";

/** A stream whose reader takes what it is given, or nothing more after so many writes. */
interface Reading {
  readonly events: () => readonly string[];
  readonly text: () => string;
  readonly playback: Playback;
  readonly timers: HandTimers;
  /** Reads so many writes more. */
  readonly read: (writes: number) => void;
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

function journalOf(entries: readonly JournalEntry[] = [], most: number = 1000): Watched {
  const timers = new HandTimers();
  const settings = { journalSize: most };
  return { session: controlled({ session: "live", entries, timers, settings }), timers };
}

async function watch({ session, timers }: Watched, asking: Asking = {}): Promise<Reading> {
  const { query = "", lastEventId } = asking;
  const last = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const asked = call("GET", `/requests/live${query}`, { headers: { host: "localhost", ...last } });
  const reply = await session.answer(asked);
  if (reply.body.kind !== "live") throw new Error(`The reply is ${JSON.stringify(reply)}.`);
  let text = "";
  let left = asking.takes ?? Infinity;
  const write: Sink["write"] = (data) => {
    text += String(data);
    left--;
    return left > 0;
  };
  const playback = reply.body.play({ write, finish: () => undefined });
  return {
    text: () => text,
    events: () =>
      text
        .split("\n\n")
        .map((block) => /^event: (\w+)(?:\nid: (\d+))?/.exec(block)?.slice(1).join(" ").trim())
        .filter((event) => event !== undefined),
    playback,
    timers,
    read: (writes) => {
      left = writes;
      playback.resume();
    },
  };
}

const three = [entry({ id: "1" }), entry({ id: "2", status: 404 }), entry({ id: "3" })];

test("tells each request as it ends, byte for byte, and nothing of before", async () => {
  const journal = journalOf([entry({ id: "1" })]);
  const reading = await watch(journal);
  journal.session.record(entry({ path: "/rest/a\nb\u2028" }));
  const data = JSON.stringify(entry({ id: "2", session: "live", path: "/rest/a\nb\u2028" }));
  expect(reading.text()).toBe(`retry: 1000\n\nevent: request\nid: 2\ndata: ${data}\n\n`);
  expect(reading.playback.framesSent()).toBe(2);
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
  expect(reading.events()).toEqual(["dropped", "request 4", "request 5"]);
  expect(reading.text()).toContain('event: dropped\ndata: {"count":2}\n\n');
});

test.each([
  ["2", ["dropped", "cleared 3", "request 4"]],
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

test("keeps nothing for a slow reader, who then gets what the journal still has", async () => {
  const journal = journalOf([], 2);
  const reading = await watch(journal, { takes: 2 });
  for (let count = 0; count < 6; count++) journal.session.record(entry({}));
  expect(reading.events()).toEqual(["request 1"]);
  reading.read(Infinity);
  journal.session.record(entry({}));
  expect(reading.events()).toEqual(["request 1", "dropped", "request 5", "request 6", "request 7"]);
  expect(reading.text()).toContain('{"count":3}');
});

test("stops again in the midst of catching up, and loses nothing by that", async () => {
  const journal = journalOf(three);
  const reading = await watch(journal, { query: "?replay=true", takes: 2 });
  reading.read(1);
  expect(reading.events()).toEqual(["request 1", "request 2"]);
  journal.session.record(entry({}));
  reading.read(2);
  expect(reading.events()).toEqual(["request 1", "request 2", "request 3", "request 4"]);
});

test("tells of losses also where the journal keeps nothing", async () => {
  const journal = journalOf([], 1);
  const reading = await watch(journal, { takes: 1 });
  journal.session.record(entry({}));
  journal.session.core.sessions.get("live").journal.clear();
  reading.read(Infinity);
  expect(reading.events()).toEqual(["dropped", "cleared 1"]);
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
