import { faultKindNames } from "../../src/core/chat/faults/fault-kinds.ts";

/** What the soaked server serves: tables of 10,000 rows, streams, and a script for each fault. */

export const rowCount = 10_000;
export const groupCount = 50;
export const maxSessions = 100;
export const journalSize = 50;
export const token = "local-token";

/** Events with data that come before a fault, where one can come after events. */
export const faultAfter = 4;

export const spokenText =
  "The lights of the studio go on one by one, and behind every front there is nothing but sky and a few planks.";

function items(): readonly object[] {
  return Array.from({ length: rowCount }, (_, index) => ({
    id: index + 1,
    name: `item ${index + 1}`,
    email: `item-${index + 1}@example.com`,
    group: index % groupCount,
    price: (index * 7919) % 1000,
    tags: ["a", index % 3],
  }));
}

function faultScripts(): readonly object[] {
  return faultKindNames.map((kind) => ({
    name: `fault ${kind}`,
    when: { user: { equals: `fault ${kind}` } },
    reply: {
      content: spokenText,
      fault: {
        kind,
        ...(["hang", "noFinish", "noDone"].includes(kind) ? {} : { afterChunks: faultAfter }),
      },
    },
  }));
}

/** The fixture document. */
export function soakFixtures(): object {
  return {
    tables: {
      items: {
        primaryKey: "id",
        columns: {
          id: "INTEGER",
          name: { type: "TEXT", notNull: true },
          email: { type: "TEXT", unique: true },
          group: "INTEGER",
          price: "REAL",
          tags: "JSON",
        },
        rows: items(),
      },
      notes: [{ id: 1, text: "first" }],
    },
    chats: [
      ...faultScripts(),
      { name: "quick", when: { user: "quick" }, reply: { content: spokenText } },
      {
        name: "slow",
        when: { user: "slow" },
        reply: { content: spokenText, pace: { firstTokenMs: 10, gapMs: 5, jitter: 0.5 } },
      },
      {
        name: "template",
        when: { user: { regex: "row (?<id>\\d+)" } },
        reply: { content: "You asked for {{ match.id }} as {{ model }}." },
      },
      {
        name: "counted",
        when: { user: "again" },
        replies: [
          { error: { status: 503, message: "Busy.", retryAfterMs: 10 } },
          { content: "Now." },
        ],
        after: "cycle",
      },
    ],
  };
}
