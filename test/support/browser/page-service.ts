import type { ObserverLog } from "../observer-log.ts";
import { noMachine, type Service } from "../transports.ts";
import type { RemotePage } from "./remote-page.ts";

/** A service whose client is a page. Once it is disposed of, the page is among the idle ones again. */
export function serviceOf<Fixtures>(
  remote: RemotePage,
  log: ObserverLog,
  idle: RemotePage[],
): Service<Fixtures> {
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
