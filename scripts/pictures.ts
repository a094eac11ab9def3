/** Makes the pictures of the README and of docs/console.md from the real program: `npm run generate -- pictures`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { defaultPort } from "../src/core/settings/settings.ts";
import { findChromium } from "../test/support/browser/chromium.ts";
import { takeViews } from "./pictures/take-views.ts";
import { freePort } from "./scale/ports.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}docs/pictures`;
/** What a reader would have; the pictures show it in place of the port that was free. */
const usualPort = defaultPort;

const columns = 118;
const lineHeight = 18;
const colours: Readonly<Record<string, string>> = {
  "1": 'font-weight="bold"',
  "2": 'opacity="0.6"',
  "31": 'fill="#ff7b72"',
  "32": 'fill="#7ee787"',
  "33": 'fill="#f2cc60"',
  "36": 'fill="#79c0ff"',
};

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, ["dist/command/backlot.js", "start", "--port", `${port}`], {
  cwd: root,
  env: { ...process.env, FORCE_COLOR: "1", NO_COLOR: "", COLUMNS: `${columns}` },
});
let printed = "";
server.stdout.on("data", (text) => (printed += text));
try {
  await once(server.stdout, "data");
  await askEverything();
  mkdirSync(folder, { recursive: true });
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const log = printed.replaceAll(`:${port}`, `:${usualPort}`).trimEnd();
  writeFileSync(`${folder}/terminal.svg`, terminalPicture(`$ npx backlot\n${log}`));
  try {
    await takeViews(browser, { url, folder });
  } finally {
    await browser.close();
  }
} finally {
  server.kill();
}

/** A little of everything that a log and the console can show. */
async function askEverything(): Promise<void> {
  const page = "/rest/products?price.gte=10&sort_by=price&order=DESC&limit=3";
  await ask("GET", page);
  await ask("POST", "/rest/users", { name: "Grace", email: "grace@example.com" });
  await ask("GET", "/rest/product");
  await chat("Hello!");
  await chat("fault: cut");
  await ask("GET", "/@test-7/rest/users");
  await ask("GET", "/@checkout/rest/orders?limit=2");
  await chat("What is the weather in Lisbon?", [
    { type: "function", function: { name: "get_weather", parameters: { type: "object" } } },
  ]);
}

async function chat(content: string, tools?: readonly unknown[]): Promise<void> {
  const messages = [{ role: "user", content }];
  await ask("POST", "/v1/chat/completions", {
    model: "atlas-large",
    stream: true,
    messages,
    tools,
  });
}

async function ask(method: string, path: string, body?: unknown): Promise<void> {
  const key = path.includes("/rest/") ? "local-token" : "local-key";
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url + path, { method, headers, ...sent });
  // A planned fault breaks the body off.
  await response.text().catch(() => undefined);
}

/** Draws what the terminal got, line by line, with the viewer's own monospaced font. */
function terminalPicture(text: string): string {
  const lines = text.split("\n").flatMap(wrapped);
  const height = lines.length * lineHeight + 24;
  const texts = lines.map(
    (line, at) => `<text x="16" y="${at * lineHeight + 26}">${withColours(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" fill="#d8dae0">
<rect width="960" height="${height}" rx="8" fill="#14161b"/>
${texts.join("\n")}
</svg>
`;
}

/** Lines without colours may be longer than the terminal is wide. */
function wrapped(line: string): readonly string[] {
  if (line.includes("\u001B") || line.length <= columns) return [line];
  return line.match(new RegExp(`.{1,${columns}}`, "g")) ?? [line];
}

/** Each colour begins and ends within its line. */
function withColours(line: string): string {
  const escaped = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(" ", "\u00A0");
  // oxlint-disable-next-line no-control-regex -- colours begin with the control character ESC
  return escaped.replaceAll(/\u001B\[(\d+)m/g, (_, code: string) => {
    const colour = colours[code];
    return colour === undefined ? "</tspan>" : `<tspan ${colour}>`;
  });
}
