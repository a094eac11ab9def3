import type { Socket } from "node:net";

/**
 * Ends a connection when what was written has been sent. From Node 26 on, a response hands its chunks to the socket
 * only at the end of the turn in which they were written.
 */
export function endWhenSent(socket: Socket | null): void {
  process.nextTick(() => socket?.destroySoon());
}
