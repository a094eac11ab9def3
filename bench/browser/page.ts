/** What runs in the pages of the benchmark. */
import { Collection } from "@msw/data";
import { http, HttpResponse } from "msw";
import { setupWorker } from "msw/browser";
import { startWorker as startMsw } from "../../src/fronts/page/browser/index.ts";
import { startWorker as startOwn } from "../../src/fronts/page/worker/index.ts";

/** Has a page's requests answered by one of the contenders, from fixtures in JSON. */
export interface BenchPage {
  readonly "own worker": (fixtures: string) => Promise<void>;
  readonly "msw worker": (fixtures: string) => Promise<void>;
  /** A handler over a collection, as one writes it by hand. */
  readonly "msw, @msw/data": (fixtures: string) => Promise<void>;
  /** The milliseconds that each request takes, one after the other. */
  readonly time: (addresses: readonly string[]) => Promise<readonly number[]>;
}

declare global {
  // oxlint-disable-next-line no-var
  var bench: BenchPage | undefined;
}

interface Item {
  readonly category: string;
  readonly price: number;
}

interface ItemSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: Item };
    readonly types?: { readonly input: Item; readonly output: Item };
  };
}

/** A schema that takes everything: no time goes into checking. */
const anything: ItemSchema = {
  "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value: value as Item }) },
};

async function collectionOf(fixtures: string): Promise<Collection<ItemSchema>> {
  const items = new Collection({ schema: anything });
  const rows: readonly Item[] = JSON.parse(fixtures).tables.items.rows;
  for (const row of rows) await items.create({ ...row });
  return items;
}

globalThis.bench = {
  "own worker": async (fixtures) => {
    await startOwn({ fixtures: JSON.parse(fixtures), auth: false });
  },
  "msw worker": async (fixtures) => {
    const options = { fixtures: JSON.parse(fixtures), auth: false };
    await startMsw({ ...options, onUnhandledRequest: "bypass" });
  },
  "msw, @msw/data": async (fixtures) => {
    const items = await collectionOf(fixtures);
    const handler = http.get("/rest/items", ({ request }) => {
      const { searchParams } = new URL(request.url);
      const category = searchParams.get("category") ?? "";
      const found = items.findMany((query) => query.where({ category }));
      const sorted = found.toSorted((one, other) => one.price - other.price);
      return HttpResponse.json({ result: sorted.slice(0, Number(searchParams.get("limit"))) });
    });
    await setupWorker(handler).start({ quiet: true, onUnhandledRequest: "bypass" });
  },
  time: async (addresses) => {
    const times: number[] = [];
    for (const address of addresses) {
      const start = performance.now();
      const response = await fetch(address);
      await response.text();
      if (!response.ok) throw new Error(`${address} is answered with ${response.status}.`);
      times.push(performance.now() - start);
    }
    return times;
  },
};
