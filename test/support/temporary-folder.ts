import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of a test's own. */
export interface TemporaryFolder {
  readonly path: string;
  /** Writes a file, and the folders that it is in. What is neither text nor bytes becomes JSON. */
  readonly write: (name: string, content: unknown) => Promise<void>;
  /** Writes a file as many editors do: another one beside it that then takes its name. */
  readonly replace: (name: string, content: unknown) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

/** Makes a folder with some files, which is gone after the test. */
export async function temporaryFolder(
  files: Readonly<Record<string, unknown>> = {},
): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "backlot-test-"));
  // What a test has stopped, such as Vite's optimizer, may still write the last of its files.
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  async function write(name: string, content: unknown): Promise<void> {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(
      join(path, name),
      typeof content === "string" || content instanceof Uint8Array
        ? content
        : JSON.stringify(content),
    );
  }
  for (const [name, content] of Object.entries(files)) await write(name, content);
  return {
    path,
    write,
    replace: async (name, content) => {
      await write(`${name}.tmp`, content);
      await rename(join(path, `${name}.tmp`), join(path, name));
    },
    remove: (name) => rm(join(path, name), { recursive: true, force: true }),
  };
}
