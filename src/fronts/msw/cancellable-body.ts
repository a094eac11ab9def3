import { cloneByTee } from "./clone-by-tee.ts";

/**
 * Gives a response a body that its reader can cancel. On Node, msw 2 copies every response and never reads the copy. A
 * copied stream is only cancelled when both copies are, so `await response.body.cancel()` would never end, and neither
 * would retries of SDKs (mswjs/interceptors#799). Here, cancelling the first copy is enough.
 */
export function withCancellableBody(response: Response): Response {
  const { body } = response;
  cloneByTee();
  if (body !== null) Object.defineProperty(body, "tee", { value: () => copyTwice(body) });
  return response;
}

type Bytes = ReadableStream<Uint8Array>;
type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Two streams of the same chunks, each read on demand. */
function copyTwice(body: Bytes): [Bytes, Bytes] {
  const reader = body.getReader();
  const open = new Set<Controller>();
  const readOne = async (): Promise<void> => {
    try {
      const { done, value } = await reader.read();
      for (const controller of open) {
        if (done) controller.close();
        else controller.enqueue(value);
      }
      if (done) open.clear();
    } catch (error) {
      // A slower copy must be read to its end first, since an error discards unread data.
      for (const controller of open) {
        if (controller.desiredSize !== 0) continue;
        open.delete(controller);
        controller.error(error);
      }
    }
  };
  const copy = (afterCancel?: (reason: unknown) => Promise<void>): Bytes => {
    let own: Controller | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = controller;
          open.add(controller);
        },
        pull: readOne,
        cancel: async (reason) => {
          if (own !== undefined) open.delete(own);
          await afterCancel?.(reason);
        },
      },
      { highWaterMark: 0 },
    );
  };
  const first = copy((reason) => {
    for (const controller of open) controller.close();
    open.clear();
    return reader.cancel(reason);
  });
  return [first, copy()];
}
