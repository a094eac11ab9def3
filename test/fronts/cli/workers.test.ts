import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { ownerOf } from "../../../src/fronts/node/cluster/session-owner.ts";
import { sessionsOf } from "../node/clustered.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type BacklotProcess, spawnBacklot } from "./backlot-process.ts";

const fixtures = { tables: { notes: [{ id: 1, text: "of the fixtures" }] } };
const ids = sessionsOf(2, (id) => ownerOf(id, 2));
const timeout = 90_000;
const readyLine = /^\{"event":"ready".*\}$/m;

async function startWorkers(): Promise<{ readonly backlot: BacklotProcess; readonly url: string }> {
  const { path: cwd } = await temporaryFolder({ "db.json": fixtures });
  const args = ["--port", "0", "--workers", "2", "--log", "json", "--no-auth"];
  const backlot = spawnBacklot(args, { cwd });
  // Three processes begin, one after the other, which a busy machine takes its time for.
  const line = await vi.waitUntil(() => readyLine.exec(backlot.out())?.[0], { timeout: 60_000 });
  return { backlot, url: JSON.parse(line ?? "").url };
}

async function addNote(url: string): Promise<void> {
  const headers = { "content-type": "application/json", connection: "close" };
  const init = { method: "POST", headers, body: '{"text":"own"}' };
  expect((await fetch(`${url}/rest/notes`, init)).status).toBe(201);
}

/** How many rows there are. A connection whose worker has died is tried again. */
async function countNotes(url: string): Promise<number> {
  const response = await fetch(`${url}/rest/notes`, { headers: { connection: "close" } }).catch(
    () => undefined,
  );
  if (response === undefined) return countNotes(url);
  return JSON.parse(await response.text()).result.length;
}

/** The processes that a process has started, in that order, as Linux tells them. */
function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}

test(
  "serves sessions and the base session by two processes, and ends both when it is told to",
  { timeout },
  async () => {
    const { backlot, url } = await startWorkers();
    for (const id of ids) await addNote(`${url}/@${id}`);
    await addNote(url);
    const bases = [url, ...ids.map((id) => `${url}/@${id}`), url];
    expect(await Promise.all(bases.map(countNotes))).toEqual([2, 2, 2, 2]);
    backlot.signal("SIGTERM");
    expect(await backlot.exit).toBe(0);
    expect(backlot.err()).toBe("");
    for (const line of backlot.out().trimEnd().split("\n"))
      expect(JSON.parse(line).event).toBeDefined();
  },
);

test.skipIf(process.platform !== "linux")(
  "has another worker take the place of one that dies, and loses its sessions alone",
  { timeout },
  async () => {
    const { backlot, url } = await startWorkers();
    for (const id of ids) await addNote(`${url}/@${id}`);
    const [, victim = 0] = childrenOf(backlot.pid);
    const killedAt = Date.now();
    process.kill(victim, "SIGKILL");
    await backlot.written(/"event":"worker-died","worker":1,"how":"SIGKILL"/);
    const [first, second] = ids.map((id) => `${url}/@${id}`);
    expect(await countNotes(second ?? "")).toBe(1);
    expect(await countNotes(first ?? "")).toBe(2);
    const list = await fetch(`${url}/__backlot/sessions`);
    const { sessions } = JSON.parse(await list.text());
    const began = sessions.map(
      ({ id, beganAt }: { readonly id: string; readonly beganAt: string }) => [
        id,
        Date.parse(beganAt) >= killedAt,
      ],
    );
    expect(Object.fromEntries(began)).toEqual({ [ids[0] ?? ""]: false, [ids[1] ?? ""]: true });
  },
);

test.each([
  ["--watch", [], "moments"],
  ["--export-on-exit", ["state.json"], "GET /__backlot/state"],
])("refuses %s together with workers", async (option, value, advice) => {
  const { path: cwd } = await temporaryFolder({ "db.json": fixtures });
  const backlot = spawnBacklot(["--workers", "2", option, ...value], { cwd });
  expect(await backlot.exit).toBe(1);
  expect(backlot.err()).toContain(`Cannot start 2 workers with ${option}: `);
  expect(backlot.err()).toContain(advice);
});

test("says once what is wrong with the fixtures", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": '{ "tables": [] }' });
  const backlot = spawnBacklot(["--workers", "2", "--port", "0"], { cwd });
  expect(await backlot.exit).toBe(1);
  expect(backlot.err().match(/^error: /gm)).toHaveLength(1);
});
