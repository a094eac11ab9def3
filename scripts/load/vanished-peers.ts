import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { BacklotProcess } from "./backlot-process.ts";
import { atMost, milliseconds } from "./figures.ts";
import type { Figure, Stage } from "./scenario.ts";

const client = fileURLToPath(new URL("hanging-client.mjs", import.meta.url));
const ofEach = 50;
/** Keep-alive probes begin after a minute without a word, and ten of them go unanswered, a second each. */
const mostMs = 90_000;

const fixtures = {
  chats: [{ name: "silent", reply: { chunks: ["first", { wait: 3_600_000 }, "second"] } }],
};

/** A network of its own on this machine, whose end can be cut off. Needs root, and `ip` of iproute2. */
interface Network {
  /** This side's address in it. */
  readonly host: string;
  /** Runs a command at the other side. */
  readonly inside: readonly string[];
  /** From now on nothing comes through, in either direction, and nobody is told. */
  readonly cut: () => void;
}

/** Clients whose machine or network goes away in the midst of a stream: no FIN and no RST comes. */
export async function vanishedPeers(stage: Stage): Promise<readonly Figure[]> {
  const what = "peers without a word amid a silent stream: their sockets are ended after";
  const network = makeNetwork(stage);
  if (network === undefined) {
    stage.tell("peers without a word: left out, since it takes root and `ip` to make a network");
    return [{ what, figure: "not measured: no network can be made here" }];
  }
  const cwd = await stage.folder();
  await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures));
  const server = await stage.start({ cwd, args: ["db.json", "--host", network.host] });
  const [command = "", ...args] = network.inside;
  const peer = spawn(
    command,
    [...args, process.execPath, client, server.url, String(ofEach), "silent"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  stage.atEnd(() => peer.kill("SIGKILL"));
  await once(peer.stdout, "data");
  const cutAt = performance.now();
  network.cut();
  peer.kill("SIGKILL");
  stage.tell(`${ofEach} peers are cut off amid their streams`);
  while ((await leftOf(server)) > 0 && performance.now() - cutAt < mostMs + 30_000) {
    await delay(500);
  }
  return [atMost(what, performance.now() - cutAt, { most: mostMs, show: milliseconds })];
}

/** How many streams are still open, by the sockets of the server; asked for over its control channel. */
async function leftOf(server: BacklotProcess): Promise<number> {
  return (await server.measure()).resources["TCPSocketWrap"] ?? 0;
}

function makeNetwork({ atEnd }: Stage): Network | undefined {
  const name = `backlot${process.pid}`;
  const [here, there] = [`bl${process.pid}a`, `bl${process.pid}b`];
  const subnet = `10.213.${process.pid % 256}`;
  atEnd(() => {
    ip(`link del ${here}`);
    ip(`netns del ${name}`);
  });
  const isMade = [
    `netns add ${name}`,
    `link add ${here} type veth peer name ${there} netns ${name}`,
    `addr add ${subnet}.1/24 dev ${here}`,
    `link set ${here} up`,
    `-n ${name} addr add ${subnet}.2/24 dev ${there}`,
    `-n ${name} link set ${there} up`,
  ].every(ip);
  if (!isMade) return undefined;
  return {
    host: `${subnet}.1`,
    inside: ["ip", "netns", "exec", name],
    cut: () => void ip(`-n ${name} link set ${there} down`),
  };
}

function ip(args: string): boolean {
  const { status, error } = spawnSync("ip", args.split(" "), { stdio: "ignore" });
  return error === undefined && status === 0;
}
