import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";
import { testIo } from "./test-io.ts";

test.each([
  [["--watch"], "'--watch' cannot be combined: tables in PostgreSQL do not follow"],
  [["--max-sessions", "3"], "'--max-sessions' cannot be combined: tables in PostgreSQL have no"],
])("refuses --tables with %j before it asks a database", async (args, message) => {
  const { path: cwd } = await temporaryFolder();
  const io = testIo({ cwd });
  const url = "postgres://user:s3cr3t@127.0.0.1:1/app";
  expect(await run(["start", "--tables", url, ...args], io)).toBe(2);
  expect(io.err()).toContain(`options '--tables' and ${message}`);
  expect(io.err()).not.toContain("s3cr3t");
});

/** A database that takes connections and says nothing, as one does that hangs. */
async function silentServer(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { server, url: `postgres://user@127.0.0.1:${port}/app` };
}

test("a start that waits for a silent database ends when it is told to", async () => {
  const { server, url } = await silentServer();
  const { path: cwd } = await temporaryFolder({ "db.json": { notes: [{ id: 1 }] } });
  const io = testIo({ cwd });
  const code = run(["start", "db.json", "--port", "0", "--tables", url], io);
  await once(server, "connection");
  io.stop();
  expect(await code).toBe(0);
  expect(io.out() + io.err()).toBe("");
});

test("SIGTERM ends a process that waits for a silent database, long before it gives up", async () => {
  const { server, url } = await silentServer();
  const { path: cwd } = await temporaryFolder({ "db.json": { notes: [{ id: 1 }] } });
  const backlot = spawnBacklot(["start", "db.json", "--port", "0", "--tables", url], { cwd });
  await once(server, "connection");
  backlot.signal("SIGTERM");
  // Had it waited until the database is given up it would be 1, with an error.
  expect(await backlot.exit).toBe(0);
  expect(backlot.err()).toBe("");
});
