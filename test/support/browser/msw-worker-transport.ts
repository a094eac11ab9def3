import { ObserverLog } from "../observer-log.ts";
import { SqlDump } from "../sql-dump.ts";
import { noMachine, type Transport } from "../transports.ts";
import { browser } from "./browser.ts";
import { serviceOf } from "./page-service.ts";
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
    return serviceOf(remote, log, idle);
  },
};
