import { expect, test } from "vitest";
import { startWorker as startMsw } from "../../../src/fronts/page/browser/start-worker.ts";
import { startWorker as startOwn } from "../../../src/fronts/page/worker/start-worker.ts";

test.each([
  ["backlot/browser", () => startMsw()],
  ["backlot/worker", () => startOwn()],
])("%s says what to use instead where there is no page", async (_, start) => {
  await expect(start()).rejects.toMatchObject({
    code: "ERR_OPTION_INVALID",
    message: expect.stringMatching(/there is no page.*In Node, use handlers of backlot\/msw/),
  });
});
