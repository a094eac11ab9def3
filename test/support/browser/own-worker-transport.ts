import { ObserverLog } from "../observer-log.ts";
import { SqlDump } from "../sql-dump.ts";
import { noMachine, type Transport } from "../transports.ts";
import { browser } from "./browser.ts";
import { serviceOf } from "./page-service.ts";
import { RemotePage } from "./remote-page.ts";

/** Pages that no service uses now. Each has a context of its own, since a worker serves all pages of one. */
const idle: RemotePage[] = [];
let count = 0;

async function takePage(): Promise<RemotePage> {
  return idle.pop() ?? RemotePage.open(await (await browser()).newContext(), "/own/");
}

/** A page's fetch, answered by our own service worker. */
export const ownWorker: Transport = {
  name: "browser own worker",
  open: async (fixtures, settings = {}) => {
    const remote = await takePage();
    const log = new ObserverLog();
    remote.log = log;
    const document = {
      fixtures: fixtures instanceof SqlDump ? { dump: fixtures.text } : fixtures,
    };
    count += 1;
    // Origins that nobody else has, so that no service begins with what the one before has left.
    const origins = [noMachine, `http://backlot-${count}.test`];
    const options = JSON.stringify({ origins, ...settings, ...document });
    await remote.page.evaluate((text) => globalThis.remote?.open(text), options);
    return serviceOf(remote, log, idle);
  },
};
