import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ChunkMerger } from "./upstream-chunks.ts";

/**
 * Has the chunks of an answer merged before node:http parses them. Where the answer does not begin as nearly all do, in
 * one piece with nothing before it, it is parsed as it comes.
 */
export function mergeChunks(request: ClientRequest): void {
  request.once("socket", (socket) => {
    const pieces: Buffer[] = [];
    const note = (bytes: Buffer): void => void pieces.push(bytes);
    const forget = (): void => void socket.off("data", note);
    // Before the parser, which answers within its turn.
    socket.prependListener("data", note);
    request
      .once("response", (response) => {
        forget();
        const [piece] = pieces;
        if (piece !== undefined && pieces.length === 1) mergeRest(response, socket, piece);
      })
      .once("close", forget);
  });
}

// oxlint-disable-next-line max-params -- the answer, and how it began
function mergeRest(response: IncomingMessage, socket: Socket, piece: Buffer): void {
  if (response.headers["transfer-encoding"]?.toLowerCase() !== "chunked") return;
  const head = piece.indexOf("\r\n\r\n");
  if (head === -1) return;
  const merger = new ChunkMerger();
  // The parser has these already. Where another answer stands before this one, 100 or 103, they are no chunks.
  if (head + 4 < piece.length) merger.merge(piece.subarray(head + 4));
  const [parse, ...others] = socket.listeners("data");
  if (merger.isOver || parse === undefined || others.length > 0) return;
  const parseMerged = (bytes: Buffer): void => {
    parse.call(socket, merger.merge(bytes));
    if (response.complete || socket.destroyed) socket.off("data", parseMerged);
  };
  socket.removeListener("data", parse as (bytes: Buffer) => void).on("data", parseMerged);
}
