// A program that has the package and no other: the emulator, its typed rows, a server, and fixtures of files.
import { createEmulator, type FixtureSet, isEmulatorError } from "backlot";
import schema from "backlot/fixtures.schema.json" with { type: "json" };
import { connect, loadFixtures, middleware, startServer } from "backlot/node";

const emulator = await createEmulator({
  fixtures: {
    tables: {
      users: {
        columns: { id: "INTEGER", name: { type: "TEXT", notNull: true }, active: "BOOLEAN" },
        primaryKey: "id",
        rows: [{ id: 1, name: "Ada", active: true }],
      },
      notes: [{ id: 1, text: "hello" }],
    },
    chats: [{ name: "greeting", when: { user: "hello" }, reply: { content: "Hi." } }],
  },
  seed: 7,
});

const text: string | undefined = emulator.tables.notes.rows()[0]?.text;
const name: string | undefined = emulator.session("a").tables.users.get(1)?.name;
// @ts-expect-error No table has this name.
export const nobody: unknown = emulator.tables.nobody;
// @ts-expect-error The column takes texts.
emulator.tables.notes.insert({ text: 1 });

const response: Response = await emulator.fetch("/rest/users");
const set: FixtureSet = await loadFixtures("fixtures");
const { url } = await startServer(emulator, { port: 0 });
await connect(url).session("a").reset();
export const used: unknown = [text, name, response, set, schema, middleware, isEmulatorError];
