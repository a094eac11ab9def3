import pg from "pg";
import { onTestFinished, test } from "vitest";
import { missingServer, serverUrl } from "../../support/postgres/server.ts";

/** A test that needs a server. */
export function serverTest(title: string, run: () => Promise<void>, timeout = 20_000): void {
  const where = missingServer() === undefined ? test : test.skip;
  where(title, run, timeout);
}

/** Runs statements as another program would: beside Backlot, in the schema of an address. */
export async function otherProgram(url: string): Promise<(text: string) => Promise<unknown[]>> {
  const client = new pg.Client({ connectionString: await serverUrl() });
  await client.connect();
  onTestFinished(() => client.end());
  const schema = new URL(url).searchParams.get("schema") ?? "";
  await client.query(`set search_path to "${schema}"`);
  let last: Promise<unknown> = Promise.resolve();
  return (text) => {
    const rows = last.then(async () => (await client.query(text)).rows);
    last = rows.catch(() => undefined);
    return rows;
  };
}
