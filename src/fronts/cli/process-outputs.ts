import type { Output } from "./io.ts";

/** The output streams of a process, as `process` has them. */
export interface OutputStreams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly on: (event: "exit", listener: () => void) => unknown;
}

/**
 * The outputs of a process. What one turn of the event loop writes to stdout is sent together at its end, since each
 * line of the log would otherwise cost a call of the system, as much as a tenth of a chat completion. Nothing is lost
 * when the process ends, and what goes to stderr comes after what was written to stdout before.
 */
export function processOutputs(streams: OutputStreams): { stdout: Output; stderr: Output } {
  const { stdout, stderr } = streams;
  let gathered = "";
  function send(): void {
    const text = gathered;
    gathered = "";
    if (text !== "") stdout.write(text);
  }
  streams.on("exit", send);
  return {
    stdout: outputTo(stdout, {
      write: (text) => {
        if (gathered === "") setImmediate(send);
        gathered += text;
      },
      send,
      gathered: () => gathered.length,
    }),
    stderr: outputTo(stderr, {
      write: (text) => {
        send();
        stderr.write(text);
      },
      send,
      gathered: () => 0,
    }),
  };
}

interface Gathering {
  readonly write: (text: string) => void;
  /** Writes what was gathered. */
  readonly send: () => void;
  /** The number of characters that were gathered. */
  readonly gathered: () => number;
}

function outputTo(stream: NodeJS.WriteStream, { write, send, gathered }: Gathering): Output {
  // The server keeps running when the reader of its output goes away, as in `backlot | head -1`.
  stream.on("error", () => undefined);
  return {
    write,
    isTerminal: stream.isTTY,
    // A getter, since the width changes with the window.
    get columns() {
      return stream.columns;
    },
    unread: () => stream.writableLength + gathered(),
    flushed: () =>
      new Promise((resolve) => {
        send();
        stream.write("", (error) => resolve(error === undefined || error === null));
      }),
  };
}
