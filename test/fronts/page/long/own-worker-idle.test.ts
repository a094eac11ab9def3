import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { siteOrigin } from "../../../support/browser/browser.ts";
import { findChromium } from "../../../support/browser/chromium.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** Opens a page in a browser that nobody has a hand in: attached developer tools keep workers alive. */
async function openAlone(url: string): Promise<void> {
  const [{ executablePath, env }, profile] = await Promise.all([
    findChromium(),
    temporaryFolder({}),
  ]);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];
  const args = [...flags, `--user-data-dir=${profile.path}`, url];
  const browser = spawn(executablePath, args, { env: { ...process.env, ...env }, stdio: "ignore" });
  onTestFinished(() => void browser.kill("SIGKILL"));
}

/** Resolves with what the page tells. */
async function told(open: (report: string) => Promise<void>): Promise<string> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const report = new Promise<string>((resolve) => {
    server.on("request", (request, response) => {
      response.end();
      if (request.method === "POST") void text(request).then(resolve);
    });
  });
  await open(`http://127.0.0.1:${port}/`);
  return report;
}

test(
  "comes back as it was when the browser has ended it for idling",
  { timeout: 180_000 },
  async () => {
    const said = await told((report) =>
      openAlone(`${siteOrigin()}/own/idle.html?report=${encodeURIComponent(report)}`),
    );
    const rows = '{"result":[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]}';
    // The journal is not kept, which shows that it is another worker.
    expect(said).toBe(`${rows} after 2 requests, then ${rows} after 1 requests`);
  },
);
