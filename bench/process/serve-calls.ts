/** The side of a child process: answers calls of its parent, one after the other. */

/** The functions that a parent may call. Arguments and results go as JSON. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;

interface CallMessage {
  readonly name: string;
  readonly argument: never;
}

/** Answers calls until the parent is gone. */
export function serveCalls(calls: Calls): void {
  process.on("message", (message: CallMessage) => {
    void answer(calls, message).then((reply) => process.send?.(reply));
  });
  process.on("disconnect", () => process.exit());
}

async function answer(calls: Calls, { name, argument }: CallMessage): Promise<object> {
  try {
    return { result: await calls[name]?.(argument) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
