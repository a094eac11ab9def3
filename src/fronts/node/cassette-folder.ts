import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { type NamedCassette, cassetteText } from "../../core/replay/cassette.ts";
import { makeFolders } from "./make-folders.ts";
import { checkFolder, replaceFile } from "./replace-file.ts";

/** A folder that cassettes are recorded into. */
export interface CassetteFolder {
  /** Writes a cassette, after the write before it is done. */
  readonly put: (cassette: NamedCassette) => void;
  /** Retries what failed, and resolves when everything is written; with false if something is not. */
  readonly finish: () => Promise<boolean>;
  /** The names of the written files. */
  readonly written: () => readonly string[];
}

/** Writes cassettes atomically. `failed` is called when one cannot be written; its next recording tries again. */
export function cassetteFolder(
  path: string,
  failed: (file: string, error: unknown) => void,
): CassetteFolder {
  const files = new Map<string, CassetteFile>();
  return {
    put: (cassette) => {
      const name = fileName(path, cassette);
      const file = files.get(name) ?? new CassetteFile(join(path, name), failed);
      files.set(name, file);
      file.put(cassette);
    },
    finish: async () => {
      const written = await Promise.all([...files.values()].map((file) => file.finish()));
      return written.every(Boolean);
    },
    written: () => [...files].filter(([, file]) => file.isWritten).map(([name]) => name),
  };
}

/** A continued cassette keeps its file. */
function fileName(path: string, { name }: NamedCassette): string {
  return existsSync(join(path, `${name}.jsonc`)) ? `${name}.jsonc` : `${name}.json`;
}

/** Creates the folder. Rejects if nothing can be written to it. */
export async function prepareFolder(path: string): Promise<void> {
  await makeFolders(path);
  await checkFolder(path);
}

class CassetteFile {
  readonly #path: string;
  readonly #failed: (file: string, error: unknown) => void;
  #next: NamedCassette | undefined;
  #unwritten: NamedCassette | undefined;
  #writing: Promise<void> | undefined;
  isWritten = false;

  constructor(path: string, failed: (file: string, error: unknown) => void) {
    this.#path = path;
    this.#failed = failed;
  }

  put(cassette: NamedCassette): void {
    this.#next = cassette;
    this.#writing ??= this.#writeAll();
  }

  async finish(): Promise<boolean> {
    await this.#writing;
    if (this.#unwritten !== undefined) {
      this.put(this.#unwritten);
      await this.#writing;
    }
    return this.#unwritten === undefined;
  }

  /** Only the newest text: it includes all earlier recordings. */
  async #writeAll(): Promise<void> {
    while (this.#next !== undefined) {
      const cassette = this.#next;
      this.#next = undefined;
      await this.#write(cassette);
    }
    this.#writing = undefined;
  }

  /** Reports the first failure, and not those that follow it. */
  async #write(cassette: NamedCassette): Promise<void> {
    try {
      await replaceFile(this.#path, [cassetteText(cassette)], { isPrivate: true });
      this.#unwritten = undefined;
      this.isWritten = true;
    } catch (error) {
      if (this.#unwritten === undefined) this.#failed(basename(this.#path), error);
      this.#unwritten = cassette;
    }
  }
}
