import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";
import { addNote, execWithExport, notes } from "./exec-with-export.ts";
import { spawnExec } from "./exec-process.ts";
import { written } from "./test-io.ts";

test("start writes the state even if Ctrl-C comes again, and says that it does", async () => {
  const t = { generate: { count: 50_000, row: { n: "{{ number }}" } } };
  const { path: cwd } = await temporaryFolder({ "db.json": { tables: { t } } });
  const backlot = spawnBacklot(["--port", "0", "--export-on-exit", "after.json"], { cwd });
  await backlot.written(/curl/);
  backlot.signal("SIGINT");
  await written(backlot.err, /writing the state to after\.json …/);
  backlot.signal("SIGINT");
  expect(await backlot.exit).toBe(0);
  expect(backlot.err()).toContain("wrote the state to after.json");
  const { tables } = JSON.parse(await readFile(join(cwd, "after.json"), "utf8"));
  expect(tables.t.rows).toHaveLength(50_000);
});

test("exec writes the state when SIGTERM ends the command", async () => {
  const command = addNote('console.log("added"); setInterval(() => {}, 1000);');
  const { path: cwd } = await temporaryFolder({ "db.json": notes, "command.mjs": command });
  const process = spawnExec(execWithExport("after.json").slice(1), cwd);
  await process.written(/added/);
  process.signal("SIGTERM");
  expect(await process.exit).toBe(143);
  expect(await readFile(join(cwd, "after.json"), "utf8")).toContain('"second"');
});

/**
 * Begins an answer that it does not read, so that the server takes a while to close, and lets the command end. Then it
 * sends SIGTERM once the server takes no more connections.
 */
const lateSignal = `
  import { connect } from "node:net";
  const { BACKLOT_URL, AUTHORIZATION_TOKEN, EXEC_PID } = process.env;
  const { port, hostname } = new URL(BACKLOT_URL);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  const key = "authorization: Bearer " + AUTHORIZATION_TOKEN;
  socket.write("GET /rest/notes HTTP/1.1\\r\\nhost: localhost\\r\\n" + key + "\\r\\n\\r\\n");
  await new Promise((resolve) => socket.once("readable", resolve));
  process.send("reads nothing");
  const isOpen = () => fetch(BACKLOT_URL + "/__backlot/health").then(() => true, () => false);
  while (await isOpen());
  process.kill(Number(EXEC_PID), "SIGTERM");
`;

test("exec writes the state although a signal comes while its server closes", async () => {
  const forks = `
    const { fork } = await import("node:child_process");
    const env = { ...process.env, EXEC_PID: String(process.ppid) };
    const late = fork("late.mjs", { env, detached: true, stdio: "ignore" });
    late.once("message", () => process.exit());
  `;
  const { path: cwd } = await temporaryFolder({
    "db.json": { notes: [{ id: 1, text: "x".repeat(20_000_000) }] },
    "command.mjs": addNote(forks),
    "late.mjs": lateSignal,
  });
  const process = spawnExec(execWithExport("after.json").slice(1), cwd);
  expect(await process.exit).toBe(0);
  expect(await readFile(join(cwd, "after.json"), "utf8")).toContain('"second"');
});

test("a crash leaves the file as it was", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": notes, "after.json": "old" });
  const backlot = spawnBacklot(["--port", "0", "--export-on-exit", "after.json"], { cwd });
  await backlot.written(/curl/);
  backlot.signal("SIGKILL");
  await backlot.exit;
  expect(await readFile(join(cwd, "after.json"), "utf8")).toBe("old");
});
