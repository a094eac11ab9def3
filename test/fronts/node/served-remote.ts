import { onTestFinished } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/index.ts";
import { connect, type RemoteEmulator, startServer } from "../../../src/fronts/node/index.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ name: "greeting", when: { user: "hello" }, reply: { content: "Hi there." } }],
} as const;

/** An emulator, and how code elsewhere sees it. */
export interface ServedRemote {
  readonly emulator: Emulator;
  readonly remote: RemoteEmulator<typeof fixtures>;
  readonly url: string;
}

/** Serves an emulator until the test is over, and connects to it. */
export async function served(settings: EmulatorOptions = {}): Promise<ServedRemote> {
  const emulator: Emulator = await createEmulator({ fixtures, auth: false, ...settings });
  const { url, close } = await startServer(emulator, { port: 0 });
  onTestFinished(close);
  return { emulator, remote: connect<typeof fixtures>(url), url };
}

/** A request that stores a user. */
export function storing(name: string): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify({ name }) };
}
