import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { builtInFixtures } from "../../node/fixture-place.ts";
import { packageRoot } from "../../node/package-root.ts";

/** What `--example` takes. */
export const exampleNames = ["shop"] as const;

/** The name of an example. */
export type ExampleName = (typeof exampleNames)[number];

const folders: Readonly<Record<ExampleName, string>> = { shop: builtInFixtures };

/** What `init` writes without `--example`: fixtures that can be read in a minute. */
const minimalFixtures = join(packageRoot, "templates/fixtures");

/** A file of an example. */
export interface ExampleFile {
  /** Relative to the fixtures folder, with `/`. */
  readonly name: string;
  readonly text: string;
}

/** Reads an example, or the minimal start, in the order of its names. */
export async function readExample(name: ExampleName | undefined): Promise<readonly ExampleFile[]> {
  const folder = name === undefined ? minimalFixtures : folders[name];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
  return Promise.all(
    paths.toSorted().map(async (path) => ({
      name: relative(folder, path).replaceAll(sep, "/"),
      text: withoutSchema(await readFile(path, "utf8")),
    })),
  );
}

/** Removes the reference to the schema, which lies beside the built-in set but not beside a copy. */
function withoutSchema(text: string): string {
  return text.replace(/^\s*"\$schema":\s*"[^"]*",?\n/m, "");
}
