/** Our own service worker, which also tells its pages of exchanges, and lets tests look into the emulator. */
import { fixtureSetFrom } from "../../../../src/core/emulator/emulator.ts";
import { tableHandles } from "../../../../src/core/emulator/tables.ts";
import { Host } from "../../../../src/fronts/page/worker/script/host.ts";
import { serveAs } from "../../../../src/fronts/page/worker/script/serve.ts";
import { SqlDump } from "../../sql-dump.ts";
import type { PageMessage } from "../page/messages.ts";

/** What a test does past the wire. Rows are JSON text. */
export type InsideQuestion =
  | { readonly inside: "rows" }
  | { readonly inside: "reset" }
  | { readonly inside: "insert"; readonly table: string; readonly row: string }
  | {
      readonly inside: "update";
      readonly table: string;
      readonly key: number;
      readonly columns: string;
    };

/** As much of the worker's scope as there is need for: tests are compiled without its types. */
interface Scope {
  readonly navigator: {
    readonly locks: { readonly request: (name: string, then: () => Promise<never>) => void };
  };
  readonly clients: {
    readonly matchAll: () => Promise<readonly { readonly postMessage: (data: unknown) => void }[]>;
  };
  readonly addEventListener: (
    type: "message",
    listener: (event: {
      readonly data: InsideQuestion;
      readonly ports: readonly { readonly postMessage: (data: unknown) => void }[];
    }) => void,
  ) => void;
}

const scope = globalThis as unknown as Scope;

async function tell(message: PageMessage): Promise<void> {
  // A client's own, which takes no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  for (const client of await scope.clients.matchAll()) client.postMessage(message);
}

const host = new Host({
  observer: {
    exchanged: (record) => void tell({ kind: "exchanged", record }),
    failed: (error) => void tell({ kind: "failed", message: String(error) }),
  },
  readFixtures: (fixtures, ...rest) =>
    isDump(fixtures) ? new SqlDump(fixtures.dump).read() : fixtureSetFrom(fixtures, ...rest),
});

serveAs(host);

// Until the worker is ended, which a page can wait for.
scope.navigator.locks.request("worker", () => new Promise(() => undefined));

scope.addEventListener("message", ({ data, ports: [port] }) => {
  if (!("inside" in data)) return;
  port?.postMessage(JSON.stringify(answer(data)));
});

/** The worker proper takes documents only. */
function isDump(fixtures: unknown): fixtures is { readonly dump: string } {
  return typeof fixtures === "object" && fixtures !== null && "dump" in fixtures;
}

function answer(question: InsideQuestion): unknown {
  const { core } = host;
  if (core === undefined) throw new Error("The worker was not started.");
  const tables = tableHandles({ state: core.state });
  switch (question.inside) {
    case "rows":
      return Object.fromEntries(Object.entries(tables).map(([name, one]) => [name, one.rows()]));
    case "reset":
      return core.reset();
    case "insert":
      return tables[question.table]?.insert(JSON.parse(question.row));
    case "update":
      return tables[question.table]?.update(question.key, JSON.parse(question.columns));
  }
}
