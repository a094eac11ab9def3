import { basename, dirname, join, resolve } from "node:path";

/** The folder of a test file's cassettes: `__cassettes__/weather.test`. */
export function tapeFolder(
  file: string,
  { folder = "__cassettes__" }: { readonly folder?: string },
): string {
  return join(resolve(dirname(file), folder), fileStem(file));
}

/** A file's name without its extension, so that tests with different extensions share a folder. */
export function fileStem(file: string): string {
  return basename(file).replace(/\.[^.]+$/, "");
}

/** The file of a test's cassette, named after the test and its suites. */
export function tapeName(test: string): string {
  const plain = test
    .replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-")
    .slice(0, 100)
    .trim();
  return `${plain === "" ? "test" : plain}.json`;
}
