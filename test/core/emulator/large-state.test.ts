import { expect, test } from "vitest";
import { exportState } from "../../../src/core/emulator/state/export-state.ts";
import { jsonFilePieces } from "../../../src/core/http/json-pieces.ts";
import { createEmulator } from "../../../src/index.ts";

const text = "x".repeat(10_000_000);
const count = 56;

test("lists and exports more rows than one string can hold", async () => {
  const notes = { columns: { id: "INTEGER", text: "TEXT" }, rows: [] };
  const emulator = await createEmulator({ fixtures: { tables: { notes } }, auth: false });
  for (let row = 0; row < count; row++) emulator.tables["notes"]?.insert({ text });
  for (const path of ["/rest/notes", "/__backlot/state"]) {
    const response = await emulator.fetch(path);
    expect(response.status).toBe(200);
    let size = 0;
    for await (const part of response.body ?? []) size += part.byteLength;
    expect(size).toBeGreaterThan(count * text.length);
  }
  let size = 0;
  for (const piece of jsonFilePieces(exportState(emulator.core.sessions.base))) {
    size += piece.length;
  }
  expect(size).toBeGreaterThan(count * text.length);
});
