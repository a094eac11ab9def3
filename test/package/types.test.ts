import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the types of the installed package need nothing but msw, also where libraries are checked", () => {
  const folder = mkdtempSync(join(tmpdir(), "backlot-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(inject("installed"), folder, { recursive: true, verbatimSymlinks: true });
  for (const name of ["msw", "@types/node"]) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, "node_modules", name), place);
  }
  writeFileSync(
    join(folder, "user.ts"),
    `import { createEmulator } from "backlot";
     import { connect, startServer } from "backlot/node";
     const emulator = await createEmulator({ fixtures: { tables: { users: [{ id: 1 }] } } });
     const id: number | undefined = emulator.tables.users.rows()[0]?.id;
     console.log(id, connect, startServer, emulator.handlers);`,
  );
  const strict = { strict: true, noEmit: true, skipLibCheck: false, module: "nodenext" };
  const compilerOptions = { ...strict, target: "es2023", types: ["node"] };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["user.ts"] }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  expect(tscOutput(tsc, folder)).toBe("");
});

function tscOutput(tsc: string, folder: string): string {
  try {
    return execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
