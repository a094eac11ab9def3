import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Core } from "../../core/emulator/core.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { readFixtureFiles } from "../../core/fixture-set/read-fixtures.ts";
import { nodeExtras } from "../node/extras.ts";
import { readFixtureTexts } from "../node/fixture-texts.ts";
import { defaultHost, defaultPort, startServer } from "../node/server.ts";
import { nodeTimers } from "../node/timers.ts";
import { closeSoon } from "./close-soon.ts";
import { emulatorSettings } from "./settings.ts";
import type { Io } from "./io.ts";
import { createLog } from "./log/create-log.ts";
import { observerOf } from "./log/log.ts";
import { entryPoints, packageVersion } from "./ready.ts";
import { recordLog } from "./record-log.ts";
import type { RecordFlags } from "./record-options.ts";
import { beginRecording, refuseItself } from "./recording.ts";

/** Passes all requests on to real services and records them until the user stops it. */
export async function record(options: RecordFlags, io: Io): Promise<number> {
  const stopped = io.untilStopped();
  const { as = "cassettes", log: format = "pretty", upstream: chat, restUpstream: rest } = options;
  const out = options.out ?? (as === "cassettes" ? join("fixtures", "cassettes") : "fixtures");
  const fixtures = await configOf(as === "cassettes" ? dirname(out) : out, io.cwd);
  const { port, host } = { port: defaultPort, host: defaultHost, ...options };
  const upstreams = {
    ...(chat === undefined ? {} : { chat }),
    ...(rest === undefined ? {} : { rest }),
  };
  refuseItself(upstreams, { host, port });
  const log = recordLog(format, io);
  const recording = await beginRecording({
    asked: "always",
    upstreams,
    rules: fixtures.recording,
    out,
    as,
    continued: [],
    io,
    log,
  });
  const core = new Core(fixtures, emulatorSettings({ ...options, auth: false }), {
    extras: nodeExtras,
    observer: observerOf(await createLog(format, io)),
    timers: nodeTimers,
    upstream: recording.upstream,
  });
  const server = await startServer({ core }, { port, host });
  const { chatUrl, tablesUrl } = entryPoints(core, server.url);
  log.ready({ version: packageVersion(), url: server.url, chatUrl, tablesUrl, upstreams, out });
  await stopped;
  // Before the connections are cut, which nobody did who is recorded. Together, since what fails while they are cut
  // would else be nobody's.
  const [finished] = await Promise.all([recording.finish(), closeSoon(server)]);
  return finished;
}

/** An empty set with the rules and the mount points that a fixtures folder has, if there is one. */
async function configOf(folder: string, cwd: string): Promise<FixtureSet> {
  const config = ["config.json", "config.jsonc"]
    .map((name) => ({ name, path: join(folder, name) }))
    .find(({ path }) => existsSync(resolve(cwd, path)));
  const texts = config === undefined ? [] : readFixtureTexts(config.path, cwd).files;
  const set = await readFixtureFiles(texts, { layout: "folder", checkTemplates: false });
  const { basePath, cors, restProfile, chatProfile } = set.settings;
  return {
    ...set,
    settings: {
      ...(basePath === undefined ? {} : { basePath }),
      ...(cors === undefined ? {} : { cors }),
      ...(restProfile === undefined ? {} : { restProfile }),
      ...(chatProfile === undefined ? {} : { chatProfile }),
    },
  };
}
