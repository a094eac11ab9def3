/**
 * How many milliseconds a break is delayed. A chunk is passed on four times on its way to the page, and nothing reports
 * its arrival. An error that comes too soon would discard unread data.
 */
const keptBack = 100;

/** A response whose body breaks only after the page has had time to read what came before. */
export function withLateBreak(response: Response): Response {
  const reader = response.headers.has("transfer-encoding") ? response.body?.getReader() : undefined;
  if (reader === undefined) return response;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          setTimeout(() => controller.error(error), keptBack);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
