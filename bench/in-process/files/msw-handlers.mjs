import { createEmulator } from "backlot";
import { handlers } from "backlot/msw";
import { setupServer } from "msw/node";
import { pathOf, report, rows } from "./rows.mjs";

const emulator = await createEmulator({ fixtures: { tables: { items: rows } }, auth: false });
const server = setupServer(...handlers(emulator));
server.listen();
await report(async (index) => (await fetch(`http://backend.test${pathOf(index)}`)).json());
server.close();
