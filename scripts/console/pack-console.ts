import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";

const source = fileURLToPath(new URL("../../src/extras/console", import.meta.url));

/** The module that the control API serves. */
export const consolePageFile = fileURLToPath(
  new URL("../../src/extras/console/console-page.ts", import.meta.url),
);

/** The text of that module: the page, and the policy that lets nothing run but what is in it. */
export async function packConsole(): Promise<string> {
  const { script, style } = await bundle();
  const template = readFileSync(join(source, "page.html"), "utf8");
  // Functions, since `$` has a meaning in a text.
  const page = template
    .replace("<!-- style -->", () => `<style>${style}</style>`)
    .replace("<!-- script -->", () => `<script type="module">${script}</script>`);
  return [
    "// Made by scripts/build-console.ts out of src/extras/console. Do not edit.",
    "",
    "/** Lets the page run its own script and style, ask its own server, and nothing else. */",
    `export const consolePolicy: string =\n  ${JSON.stringify(policy(script, style))};`,
    "",
    "/** The console as one page. */",
    `export const consolePage: string = ${literal(page)};`,
    "",
  ].join("\n");
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

async function bundle(): Promise<{ readonly script: string; readonly style: string }> {
  const built = await build({
    root: source,
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
      rolldownOptions: { input: join(source, "main.tsx") },
    },
  });
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  return { script: inScript(onlyChunk(outputs)), style: styleOf(outputs) };
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

function onlyChunk(outputs: readonly Output[]): string {
  const chunks = outputs.filter((output) => output.type === "chunk");
  const [chunk] = chunks;
  if (chunk === undefined || chunks.length > 1) {
    throw new Error(`The console must be one script, but is ${chunks.length}.`);
  }
  return chunk.code.trim();
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

/** A text as a template literal, which formatters leave as it is. */
function literal(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  return `\`${escaped}\``;
}
