import { expect, test } from "vitest";
import { withCancellableBody } from "../../../src/fronts/msw/cancellable-body.ts";

const encoder = new TextEncoder();

interface Source {
  readonly response: Response;
  readonly cancelled: unknown[];
}

/** A response of so many chunks, made one by one as they are read. */
function responseOf(count: number, how: "close" | "error" = "close"): Source {
  const cancelled: unknown[] = [];
  let made = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      made += 1;
      if (made <= count) controller.enqueue(encoder.encode(`${made};`));
      else if (how === "close") controller.close();
      else controller.error(new Error("broken"));
    },
    cancel: (reason) => {
      cancelled.push(reason);
    },
  });
  return { response: withCancellableBody(new Response(body)), cancelled };
}

test("gives the whole body to a response and to its copy, in either order", async () => {
  const one = responseOf(3).response;
  const other = responseOf(3).response;
  const [copyOfOne, copyOfOther] = [one.clone(), other.clone()];
  expect([await one.text(), await copyOfOne.text()]).toEqual(["1;2;3;", "1;2;3;"]);
  expect([await copyOfOther.text(), await other.text()]).toEqual(["1;2;3;", "1;2;3;"]);
});

test("gives the whole body to both when they are read at once", async () => {
  const { response } = responseOf(50);
  const texts = await Promise.all([response.clone().text(), response.text()]);
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).toMatch(/^1;.*50;$/);
});

test("cancels the source when the response is cancelled, and ends the copy", async () => {
  const { response, cancelled } = responseOf(1_000);
  const copy = response.clone();
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel("enough");
  expect(cancelled).toEqual(["enough"]);
  expect(await copy.text()).toBe("1;");
});

test("does not cancel the source when only the copy is cancelled", async () => {
  const { response, cancelled } = responseOf(2);
  await response.clone().body?.cancel();
  expect(await response.text()).toBe("1;2;");
  expect(cancelled).toEqual([]);
});

test("can be cancelled after its copy was read to the end", async () => {
  const { response } = responseOf(2);
  await response.clone().text();
  await expect(response.body?.cancel()).resolves.toBeUndefined();
});

test("hands a failure on to both", async () => {
  const { response } = responseOf(1, "error");
  const copy = response.clone();
  await expect(response.text()).rejects.toThrow("broken");
  await expect(copy.text()).rejects.toThrow("broken");
});

test("leaves a response without a body alone", () => {
  const response = new Response(null, { status: 204 });
  expect(withCancellableBody(response)).toBe(response);
});
