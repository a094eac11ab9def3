import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Sink } from "../../core/http/scheduler.ts";
import { encodingOf, largestText, latin1Of } from "./latin1.ts";

/** Whom a writer tells what happens. */
export interface WriterEvents {
  /** So many bytes of the body were written. */
  readonly onBytes: (size: number) => void;
  /** There is room again, after a write that found none. */
  readonly onRoom: () => void;
}

/** A part of a chunked body in its frame. */
interface Chunk {
  readonly text: string;
  readonly encoding: BufferEncoding;
}

/**
 * Writes parts of a body whose length nobody knows. They are framed here: node:http hands the frame over in four
 * pieces, which takes the system longer than to send them. It does not even see the parts between the first, which has
 * the head, and the last, which has the end: it would wait for what else comes in the same turn of the event loop, which
 * takes a stream a fifteenth more CPU.
 */
export function streamWriter(
  response: ServerResponse,
  { onBytes, onRoom }: WriterEvents,
): Sink["write"] {
  const isChunked = response.chunkedEncoding;
  let isHeadOut = false;
  response.on("drain", onRoom);
  return (data, isLast) => {
    const size = Buffer.byteLength(data);
    onBytes(size);
    if (!isChunked || size === 0) return response.write(data);
    if (typeof data !== "string" && size > largestText) return response.write(data);
    const chunk = chunkOf(data, size);
    const { socket } = response;
    // Without a socket, it waits for the answer to an earlier request.
    if (socket === null || !socket.writable) return writeChunk(response, chunk);
    if (isHeadOut && !isLast) return writeBetween(socket, chunk, onRoom);
    isHeadOut = true;
    return typeof data === "string"
      ? writeChunk(response, chunk)
      : writeAtOnce(response, socket, chunk);
  };
}

function chunkOf(data: string | Uint8Array, size: number): Chunk {
  const text = typeof data === "string" ? data : latin1Of(data);
  return { text: `${size.toString(16)}\r\n${text}\r\n`, encoding: encodingOf(text, size) };
}

/** Bytes are what a real service says: its first go out at once, with the head. */
function writeAtOnce(response: ServerResponse, socket: Socket, chunk: Chunk): boolean {
  socket.cork();
  const goesOn = writeChunk(response, chunk);
  socket.uncork();
  return goesOn;
}

function writeChunk(response: ServerResponse, { text, encoding }: Chunk): boolean {
  response.chunkedEncoding = false;
  const goesOn = response.write(text, encoding);
  response.chunkedEncoding = true;
  return goesOn;
}

/** The response does not know of these bytes, so that it does not tell when there is room again. */
function writeBetween(socket: Socket, { text, encoding }: Chunk, onRoom: () => void): boolean {
  const goesOn = socket.write(text, encoding);
  if (!goesOn) socket.once("drain", onRoom);
  return goesOn;
}
