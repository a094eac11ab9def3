// What tables in PostgreSQL cost: npx tsx bench/postgres-tables.ts postgres://user:password@host/database
import { type Emulator, emulatorFrom, fixtureSetFrom } from "../src/core/emulator/emulator.ts";
import { postgresTables } from "../src/extras/postgres/index.ts";

const [address] = process.argv.slice(2);
if (address === undefined) throw new Error("Give the URL of a PostgreSQL database.");
const url = new URL(address);
url.searchParams.set("schema", `backlot_bench_${process.pid}`);

const rows = Array.from({ length: 10_000 }, (_, at) => ({
  id: at + 1,
  name: `user ${at}`,
  email: `user${at}@example.com`,
  age: at % 90,
}));
const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
const body = JSON.stringify({ name: "new", email: "new@example.com", age: 1 });

type Request = (emulator: Emulator, at: number) => Promise<Response>;

const requests: Readonly<Record<string, Request>> = {
  GET: (emulator, at) =>
    emulator.fetch(`/rest/users/${((at * 37) % rows.length) + 1}`, { headers }),
  POST: (emulator) => emulator.fetch("/rest/users", { method: "POST", headers, body }),
};

/** The median time, and the CPU time of this process, for each of some requests. */
async function measure(
  emulator: Emulator,
  request: Request,
  { count, parallel }: { readonly count: number; readonly parallel: number },
): Promise<string> {
  for (let at = 0; at < 50; at++) await (await request(emulator, at)).text();
  const times: number[] = [];
  const cpu = process.cpuUsage();
  let next = 0;
  async function ask(): Promise<void> {
    while (next < count) {
      const start = performance.now();
      await (await request(emulator, next++)).text();
      times.push(performance.now() - start);
    }
  }
  await Promise.all(Array.from({ length: parallel }, ask));
  const { user, system } = process.cpuUsage(cpu);
  const median = times.toSorted((one, other) => one - other)[count >> 1] ?? 0;
  const each = (user + system) / count / 1_000;
  return `median ${median.toFixed(2)} ms, CPU ${each.toFixed(3)} ms`;
}

const fixtures = await fixtureSetFrom({ tables: { users: { rows } } }, {});
const tables = await postgresTables(url.href, {});
const inMemory: Emulator = await emulatorFrom(fixtures, {});
const inPostgres: Emulator = await emulatorFrom(fixtures, {}, { sharedTables: tables });
await tables.begin(inPostgres.core.state.database, "document");
for (const parallel of [1, 32]) {
  for (const [method, request] of Object.entries(requests)) {
    for (const [where, emulator] of Object.entries({ memory: inMemory, postgres: inPostgres })) {
      const told = await measure(emulator, request, { count: 1_000, parallel });
      console.log(`${method} in ${where}, ${parallel} at once: ${told}`);
    }
  }
}
console.log(`Drop the schema: DROP SCHEMA "${url.searchParams.get("schema")}" CASCADE`);
await tables.close();
