import { ObserverLog } from "../observer-log.ts";
import { SqlDump } from "../sql-dump.ts";
import { noMachine, type Service, type Transport } from "../transports.ts";
import { browser } from "./browser.ts";
import { RemotePage } from "./remote-page.ts";

/** What is not answered is an error, and what is asked of a machine that there is not, is answered. */
const alone = { origins: [noMachine], onUnhandledRequest: "error" };

/** Pages that no service uses now, each of a context of its own: tabs of one share their worker. */
const idle: RemotePage[] = [];

async function takePage(): Promise<RemotePage> {
  return idle.pop() ?? RemotePage.open(await (await browser()).newContext());
}

/** A page's fetch, intercepted by the service worker of msw. */
export const mswWorker: Transport = {
  name: "browser msw worker",
  open: async (fixtures, settings = {}) => {
    const remote = await takePage();
    const log = new ObserverLog();
    remote.log = log;
    const dump = fixtures instanceof SqlDump ? fixtures.text : undefined;
    const document = dump === undefined ? { fixtures } : {};
    const options = JSON.stringify({ ...alone, ...settings, ...document });
    await remote.page.evaluate(([text, sql]) => globalThis.remote?.open(text, sql), [
      options,
      dump,
    ] as const);
    return serviceOf(remote, log);
  },
};

function serviceOf<Fixtures>(remote: RemotePage, log: ObserverLog): Service<Fixtures> {
  const { page, fetch } = remote;
  const allRows = async (): ReturnType<Service["inside"]["allRows"]> =>
    JSON.parse((await page.evaluate(() => globalThis.remote?.rows())) ?? "{}");
  return {
    get emulator(): never {
      throw new Error("The emulator is in the page. Look at it with service.inside.");
    },
    baseUrl: noMachine,
    clientFetch: fetch,
    isGlobal: false,
    fetch: (path, init) => fetch(path.startsWith("/") ? `${noMachine}${path}` : path, init),
    log,
    inside: {
      allRows,
      rows: async (table) => (await allRows())[table] ?? [],
      insert: (table, row) =>
        page.evaluate(([name, text]) => globalThis.remote?.insert(name, text), [
          table,
          JSON.stringify(row),
        ] as const),
      update: (table, key, columns) =>
        page.evaluate(([name, which, text]) => globalThis.remote?.update(name, which, text), [
          table,
          key,
          JSON.stringify(columns),
        ] as const),
      reset: () => page.evaluate(() => globalThis.remote?.reset()),
      play: async (runs) => {
        const asked = [JSON.stringify(runs), noMachine] as const;
        const given = await page.evaluate(
          ([text, url]) => globalThis.remote?.play(text, url),
          asked,
        );
        return JSON.parse(given ?? "[]");
      },
    },
    [Symbol.asyncDispose]: async () => {
      await page.evaluate(() => globalThis.remote?.close());
      remote.log = undefined;
      idle.push(remote);
      log.throwUnread();
    },
  };
}
