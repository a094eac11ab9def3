import type { Socket } from "node:net";

/**
 * Closes a connection once everything written to it has been sent. From Node 26 on, a response passes its chunks to the
 * socket only at the end of the turn in which they were written.
 */
export function endWhenSent(socket: Socket | null): void {
  process.nextTick(() => socket?.destroySoon());
}
