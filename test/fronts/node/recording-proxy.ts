import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import {
  type NamedCassette,
  type RecordingRules,
  usualRecordingRules,
} from "../../../src/core/recordings/cassette.ts";
import { nodeExtras } from "../../../src/fronts/node/extras.ts";
import { emulatorFrom, fixtureSetFrom } from "../../../src/core/emulator/emulator.ts";
import type { Timers } from "../../../src/core/http/scheduler.ts";
import { startServer } from "../../../src/fronts/node/server.ts";
import { nodeTimers } from "../../../src/fronts/node/timers.ts";
import {
  type NotRecorded,
  recordingUpstream,
} from "../../../src/fronts/node/upstream/recording-upstream.ts";
import { Recorder } from "../../../src/extras/recordings/record/recorder.ts";

/** A proxy that records into memory. */
export interface RecordingProxy {
  /** Of chat, for SDKs. */
  readonly chatUrl: string;
  /** Of the tables. */
  readonly tablesUrl: string;
  readonly notRecorded: readonly NotRecorded[];
  /** What is recorded once all that is complete is, and how many exchanges were not. */
  readonly finish: () => Promise<{ cassettes: readonly NamedCassette[]; open: number }>;
}

/** What a proxy records by. */
export interface ProxyOptions {
  readonly rules?: Partial<RecordingRules>;
  /** What times are told by. Default: Node's own. */
  readonly timers?: Timers;
}

/** Starts a proxy in front of services, which lives as long as its test. */
export async function startRecording(
  services: { readonly chat?: string; readonly tables?: string },
  { rules = {}, timers = nodeTimers }: ProxyOptions = {},
): Promise<RecordingProxy> {
  const notRecorded: NotRecorded[] = [];
  const failures: unknown[] = [];
  const all = { ...usualRecordingRules, ...rules };
  const recorder = new Recorder({ rules: all, upstreams: services, changed: () => undefined });
  const upstream = recordingUpstream({
    asked: "always",
    services,
    recorder,
    rules: all,
    timers,
    notRecorded: (exchange) => notRecorded.push(exchange),
    failed: (error) => failures.push(error),
  });
  const emulator = await emulatorFrom(
    await fixtureSetFrom({}, {}),
    {},
    {
      upstream,
      extras: nodeExtras,
    },
  );
  const server = await startServer(emulator, { port: 0 });
  onTestFinished(async () => {
    await server.close();
    upstream.close();
    expect(failures).toEqual([]);
  });
  return {
    chatUrl: `${server.url}/v1`,
    tablesUrl: `${server.url}/rest`,
    notRecorded,
    finish: async () => {
      const open = await upstream.finish();
      return { cassettes: recorder.cassettes(), open };
    },
  };
}

/** Starts a bare server as a service to be recorded. */
export async function startService(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** What a service does that answers everything alike. */
export function answering(
  headers: Record<string, string>,
  ...parts: (string | Uint8Array)[]
): RequestListener {
  return (_, response) => {
    response.writeHead(200, headers);
    for (const part of parts) response.write(part);
    response.end();
  };
}
