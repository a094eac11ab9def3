import { connect, type Socket } from "node:net";
import { once } from "node:events";
import type { RunningServer } from "../../src/fronts/node/server.ts";

/** A bare connection to a server, for what no HTTP client would send. */
export class RawConnection implements Disposable {
  readonly socket: Socket;
  /** All that came so far. */
  text = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => (this.text += part));
    // A cut connection is what some tests wait for.
    socket.on("error", () => undefined);
  }

  static async open({ host, port }: Pick<RunningServer, "host" | "port">): Promise<RawConnection> {
    const socket = connect({ host, port });
    const connection = new RawConnection(socket);
    await once(socket, "connect");
    return connection;
  }

  send(data: string | Uint8Array): void {
    this.socket.write(data);
  }

  /** Resolves with all text once `part` has come, or the connection is closed. */
  async until(part: string): Promise<string> {
    while (!this.text.includes(part) && !this.socket.closed) {
      const waiting = new AbortController();
      const { signal } = waiting;
      const either = ["data", "close"].map((name) => once(this.socket, name, { signal }));
      await Promise.race(either);
      // Those that are left would stay on the socket.
      waiting.abort();
      await Promise.allSettled(either);
    }
    return this.text;
  }

  /** Resolves with all text once the server has closed the connection. */
  async closed(): Promise<string> {
    if (!this.socket.closed) await once(this.socket, "close");
    return this.text;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}
