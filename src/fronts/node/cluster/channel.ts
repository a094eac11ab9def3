import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";

const prefixSize = 4;

/** A connection that carries messages of one type there and of another type back, each in the order in which it was sent. */
export class Channel<Sent, Received> {
  readonly #socket: Socket;
  readonly #receive: (message: Received) => void;
  #unread: Buffer = Buffer.alloc(0);
  #isCorked = false;

  constructor(socket: Socket, receive: (message: Received) => void) {
    this.#socket = socket;
    this.#receive = receive;
    socket.on("data", (data: Buffer) => this.#take(data));
    // What follows is "close".
    socket.on("error", () => undefined);
  }

  /** Sends a message. What is sent in one tick goes out in one write. */
  send(message: Sent): void {
    const bytes = serialize(message);
    const prefix = Buffer.allocUnsafe(prefixSize);
    prefix.writeUInt32LE(bytes.length);
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(prefix);
    this.#socket.write(bytes);
  }

  #take(data: Buffer): void {
    this.#unread = this.#unread.length === 0 ? data : Buffer.concat([this.#unread, data]);
    let start = 0;
    while (this.#unread.length - start >= prefixSize) {
      const end = start + prefixSize + this.#unread.readUInt32LE(start);
      if (this.#unread.length < end) break;
      // A copy: what is read may share the memory, and keep all of it.
      const message: Received = deserialize(
        Buffer.from(this.#unread.subarray(start + prefixSize, end)),
      );
      start = end;
      this.#receive(message);
    }
    this.#unread = this.#unread.subarray(start);
  }
}
