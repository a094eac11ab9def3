/** Connections to servers that are measured: kept alive, and never waited for without end. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Longer than any answer takes to go on. */
const silenceMs = 30_000;

const pools = new Map<number, Socket[]>();

/** Sockets to a port: those that are open still, and as many new ones as are missing. */
export async function socketsTo(port: number, count: number): Promise<readonly Socket[]> {
  const pool = (pools.get(port) ?? []).filter(({ closed }) => !closed);
  pools.set(port, pool);
  while (pool.length < count) {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    // An error is followed by `close`, which an exchange looks for.
    pool.push(
      socket
        .on("error", () => {})
        .setNoDelay(true)
        .setTimeout(silenceMs),
    );
  }
  return pool.slice(0, count);
}

/** Sends a request, and gives what comes to `take` until that finds the answer complete. */
export function exchange(
  socket: Socket,
  text: string,
  take: (data: Buffer) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (problem?: unknown): void => {
      socket.off("data", read).off("close", lost).off("timeout", silent);
      if (problem === undefined) resolve();
      else reject(problem);
    };
    const read = (data: Buffer): void => {
      try {
        if (take(data)) settle();
      } catch (error) {
        settle(error);
      }
    };
    const lost = (): void => settle(new Error("The server closed a connection."));
    const silent = (): void => settle(new Error(`Nothing came for ${silenceMs / 1000} s.`));
    socket.on("data", read).once("close", lost).once("timeout", silent);
    socket.write(text);
  });
}
