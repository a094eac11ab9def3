import { createEmulator } from "backlot";
import { pathOf, report, rows } from "./rows.mjs";

const emulator = await createEmulator({ fixtures: { tables: { items: rows } }, auth: false });
await report(async (index) => (await emulator.fetch(pathOf(index))).json());
