// A page that has its service inside.
import { startWorker } from "backlot/browser";
import { startWorker as startOwnWorker } from "backlot/worker";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
const emulator = await startWorker({ fixtures });
const own = await startOwnWorker({ fixtures });
export const name: string | undefined = emulator.tables.users.rows()[0]?.name;
await own.reset();
