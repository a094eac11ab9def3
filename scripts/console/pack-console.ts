import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";

/** The folder of the console's source. */
export const consoleSource: string = fileURLToPath(
  new URL("../../src/extras/console", import.meta.url),
);

/** The console as one page, and what it was made of. */
export interface PackedConsole {
  /** The page, compressed by gzip, in base64. */
  readonly page: string;
  /** Lets the page run its own script and style, ask its own server, and nothing else. */
  readonly policy: string;
  /** The paths of the files that the page was made of. */
  readonly madeOf: readonly string[];
}

/** Packs the console into one page. */
export async function packConsole(): Promise<PackedConsole> {
  const { script, style, modules } = await bundle();
  const template = readFileSync(join(consoleSource, "page.html"), "utf8");
  // Functions, since `$` has a meaning in a text.
  const page = template
    .replace("<!-- style -->", () => `<style>${style}</style>`)
    .replace("<!-- script -->", () => `<script type="module">${script}</script>`);
  return {
    page: gzipSync(page, { level: 9 }).toString("base64"),
    policy: policy(script, style),
    // Style sheets and the page's frame are no modules.
    madeOf: [...new Set([...modules, ...filesBelow(consoleSource)])],
  };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function policy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

interface Bundle {
  readonly script: string;
  readonly style: string;
  /** The paths of the modules in the script. */
  readonly modules: readonly string[];
}

async function bundle(): Promise<Bundle> {
  const built = await build({
    root: consoleSource,
    configFile: false,
    envDir: false,
    logLevel: "warn",
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      write: false,
      target: "es2023",
      cssTarget: "chrome123",
      modulePreload: false,
      rolldownOptions: { input: join(consoleSource, "main.tsx") },
    },
  });
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  const { code, moduleIds } = onlyChunk(outputs);
  const modules = moduleIds.filter((id) => !id.startsWith("\0") && !id.includes("?"));
  return { script: inScript(code.trim()), style: styleOf(outputs), modules };
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

function onlyChunk(outputs: readonly Output[]): Rolldown.OutputChunk {
  const chunks = outputs.filter((output) => output.type === "chunk");
  const [chunk] = chunks;
  if (chunk === undefined || chunks.length > 1) {
    throw new Error(`The console must be one script, but is ${chunks.length}.`);
  }
  return chunk;
}

function styleOf(outputs: readonly Output[]): string {
  return outputs
    .flatMap((output) =>
      output.type === "asset" && output.fileName.endsWith(".css") ? [String(output.source)] : [],
    )
    .join("")
    .trim();
}

/** What would end the element, or begin a comment in it, is written as an escape. */
function inScript(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
}
