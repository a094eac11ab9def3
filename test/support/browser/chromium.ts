import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A Chromium that can be started. */
export interface BrowserProgram {
  readonly executablePath: string;
  /** What it needs in its environment, besides ours. */
  readonly env: Readonly<Record<string, string>>;
}

/** Names an executable of Chrome or Chromium, which goes before all others. */
const variable = "BACKLOT_CHROMIUM";

/** Where installers put Chrome, Chromium and Edge. */
const usualPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/**
 * The browser that tests run in: the one that `BACKLOT_CHROMIUM` names; else, on Linux, the one that came with `npm ci`;
 * else one that is installed. Its own has no windows at all: an installed one takes three times as much for each page.
 */
export async function findChromium(): Promise<BrowserProgram> {
  const named = process.env[variable];
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return { executablePath: named, env: {} };
    throw new Error(`${variable} names ${named}, where there is no file.`);
  }
  if (process.platform === "linux" && process.arch === "x64") return packedChromium();
  const installed = usualPlaces[process.platform]?.find((path) => existsSync(path));
  if (installed !== undefined) return { executablePath: installed, env: {} };
  throw new Error(
    `No Chrome or Chromium was found. Install one, or name it: ${variable}=<executable> npm test.`,
  );
}

/** The Chromium of @sparticuz/chromium with the libraries that it needs, unpacked once for all runs of a user. */
async function packedChromium(): Promise<BrowserProgram> {
  const version = await packedVersion();
  const folder = join(tmpdir(), `backlot-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(folder)) await unpackTo(folder);
  // Anybody can make a folder of that name where temporary files are.
  if (statSync(folder).uid !== process.getuid?.()) {
    throw new Error(`${folder} belongs to another user. Remove it, or set ${variable}.`);
  }
  return {
    executablePath: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_PATH: join(folder, "fonts"),
    },
  };
}

/** The package does not export the file that tells it. */
async function packedVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const [home = ""] = entry.split(/(?<=[\\/]@sparticuz[\\/]chromium)[\\/]/);
  return JSON.parse(await readFile(join(home, "package.json"), "utf8")).version;
}

/** A run that starts at the same time may do so too; the first to be done wins. */
async function unpackTo(folder: string): Promise<void> {
  const unfinished = await mkdtemp(`${folder}-unfinished-`);
  const script = fileURLToPath(new URL("unpack-chromium.mjs", import.meta.url));
  // Only where it finds itself on Amazon Linux does it unpack the libraries that bare machines lack.
  const env = { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };
  try {
    await promisify(execFile)(process.execPath, [script], { env });
    // Its own names /tmp/fonts, and without a font Chromium ends at the first field of a form.
    await writeFile(join(unfinished, "fonts", "fonts.conf"), fontsConf(folder));
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts", "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`;
}
