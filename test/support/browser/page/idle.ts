/** A page that lets its worker idle until the browser ends it, and tells what it then sees. Nobody drives it. */
import { startWorker } from "../../../../src/fronts/page/worker/index.ts";

/** As much of the page's own globals as there is need for: tests are compiled without their types. */
interface Window {
  readonly location: { readonly search: string };
  readonly navigator: {
    readonly locks: { readonly request: (name: string, then: () => void) => Promise<void> };
  };
}

const { location, navigator } = globalThis as unknown as Window;

async function seen(): Promise<string> {
  const rows = await (await fetch("/rest/users")).text();
  const { requests } = (await (await fetch("/__backlot/requests")).json()) as {
    requests: unknown[];
  };
  return `${rows} after ${requests.length} requests`;
}

async function run(): Promise<string> {
  const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
  await startWorker({ fixtures, auth: false, script: "backlot-worker.js" });
  const headers = { "content-type": "application/json" };
  await fetch("/rest/users", { method: "POST", headers, body: '{"name":"Grace"}' });
  const before = await seen();
  // The worker holds the lock for as long as it lives.
  await navigator.locks.request("worker", () => undefined);
  return `${before}, then ${await seen()}`;
}

const said = await run().catch(String);
await fetch(new URLSearchParams(location.search).get("report") ?? "", {
  method: "POST",
  body: said,
});
