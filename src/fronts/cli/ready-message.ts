import { showCounts } from "./fixture-counts.ts";
import type { Ready } from "./log.ts";
import type { Style } from "./style.ts";

const labelWidth = 10;

/** What is shown when the server answers: where, with what, and a line to try for each interface. */
export function readyMessage(ready: Ready, style: Style): string {
  const { bold, cyan, dim } = style;
  const { version, url, chatUrl, tablesUrl, fixtures, counts, curl, watching } = ready;
  const facts: readonly (readonly [string, string])[] = [
    ["tables", cyan(`${tablesUrl}/{table}`)],
    ["chat", `${cyan(`${chatUrl}/chat/completions`)}  ${dim(`(base URL for SDKs: ${chatUrl})`)}`],
    ["fixtures", `${fixtures}: ${showCounts(counts)}${watching ? dim(", watched") : ""}`],
    ["token", showToken(ready)],
  ];
  const examples = [curl.tables, curl.chat].filter((line) => line !== undefined);
  const parts = [
    `${bold("Backlot")} ${version} serves at ${bold(cyan(url))}`,
    facts.map(([label, fact]) => `  ${dim(label.padEnd(labelWidth))}${fact}`).join("\n"),
    ...(examples.length === 0 ? [] : [`Try it:\n${examples.join("\n")}`]),
  ];
  return `${parts.join("\n\n")}\n\n`;
}

function showToken({ token, apiKey }: Ready): string {
  const tables = token === undefined ? "none asked for" : `${token} for tables`;
  const chat = apiKey === undefined ? "none asked for" : `${apiKey} for chat`;
  return tables === chat ? tables : `${tables}, ${chat}`;
}
