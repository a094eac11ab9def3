import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { EmulatorError } from "../../core/errors/emulator-error.ts";

/** The worker script of the msw that code in a folder would load. Rejects with `ERR_PACKAGE_MISSING`. */
export async function readMswScript(folder: string): Promise<string> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve("msw/mockServiceWorker.js");
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      "Cannot read the worker script of msw: the package msw is not installed here. " +
        "Install it: npm install --save-dev msw.",
      { cause },
    );
  }
}
