import type { VNode } from "preact";
import { curlOf } from "../requests/curl.ts";
import { useConsole } from "./console-context.ts";
import { CopyButton } from "./copy-button.tsx";

/** How to ask the server, for those who have not yet. */
export function FirstSteps(): VNode {
  const { client, setup } = useConsole();
  const { basePaths, keys, model, tables } = setup;
  const root = location.origin + client.base;
  const withKey = { authorization: "" };
  const json = { ...withKey, "content-type": "application/json" };
  const body = { model: model ?? "any", messages: [{ role: "user", content: "Hello!" }] };
  const chat = { method: "POST", path: `${basePaths.chat}/chat/completions`, query: "", body };
  const table = encodeURIComponent(tables[0]?.name ?? "users");
  const rows = { method: "GET", path: `${basePaths.rest}/rest/${table}`, query: "", body: null };
  const lines: readonly (readonly [label: string, text: string])[] = [
    ["Base URL of chat", root + basePaths.chat],
    ["Its key", keys.chat ?? "none is needed"],
    ["Ask a chat", curlOf({ ...chat, headers: json }, { root, key: keys.chat })],
    ["Read a table", curlOf({ ...rows, headers: withKey }, { root, key: keys.rest })],
  ];
  return (
    <section class="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">How to ask this server</h2>
      <p class="muted">
        No requests yet. They appear here as they arrive. Point your app to the base URL, or copy a
        line into a terminal.
      </p>
      {lines.map(([label, text]) => (
        <div key={label}>
          <h3>{label}</h3>
          <div class="row">
            <code class="block grow" tabIndex={0} role="region" aria-label={label}>
              {text}
            </code>
            <CopyButton label="Copy" text={() => text} />
          </div>
        </div>
      ))}
    </section>
  );
}
