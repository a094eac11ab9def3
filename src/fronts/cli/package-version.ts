import { readFileSync } from "node:fs";

/** The version in the package's own `package.json`, which lies beside both `src` and `dist`. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
