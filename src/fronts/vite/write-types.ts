import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import type { FixtureDocument } from "./page-module.ts";

/** Type declarations for the tables of a fixture document, without rows. */
function tableDeclarations({ tables }: FixtureDocument): string {
  const entries = Object.entries(typeof tables === "object" && tables !== null ? tables : {});
  const schemas = entries.map(([name, { primaryKey, columns }]) => [name, { primaryKey, columns }]);
  const text = JSON.stringify(Object.fromEntries(schemas), null, 2).replaceAll("\n", "\n      ");
  return `// Written by the Vite plugin of Backlot: the tables of the fixtures. Do not edit.
/// <reference types="backlot/vite/client" />

declare module "virtual:backlot" {
  interface Register {
    fixtures: {
      tables: ${text};
    };
  }
}
`;
}

/** Writes them to a file if they changed: editors and watchers would react to more. */
export function writeTypes(file: string, document: FixtureDocument): void {
  const text = tableDeclarations(document);
  try {
    if (readOrEmpty(file) === text) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidOption(
      `Cannot write the types of the fixtures: ${reason}. Name another file: types.`,
      cause,
    );
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
