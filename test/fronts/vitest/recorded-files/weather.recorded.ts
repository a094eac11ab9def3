import { expect } from "vitest";
import { createTest } from "../../../../src/fronts/vitest/index.ts";

const { SERVICE_URL, TAPES, EXPIRES_IN, UNUSED, PLACE = "Oslo", TIMES = "2" } = process.env;

const test = createTest({
  recording: {
    upstream: SERVICE_URL ?? "",
    folder: TAPES ?? "",
    ...(EXPIRES_IN === undefined ? {} : { expiresIn: EXPIRES_IN }),
    ...(UNUSED === "fail" ? { unusedRecordings: "fail" } : {}),
    sameRequest: (request) => ({ ...request, query: "" }),
  },
});

test("tells the weather", async ({ backlot }) => {
  for (let time = 0; time < Number(TIMES); time++) {
    const answer = await backlot.fetch(`/v1/chat/completions?nonce=${Math.random()}`, {
      method: "POST",
      headers: { authorization: "Bearer sk-live-0123456789abcdef" },
      body: JSON.stringify({
        model: "atlas",
        messages: [{ role: "user", content: `Weather in ${PLACE}, day ${time}?` }],
      }),
    });
    expect(await answer.text()).toContain(`Sleet, day ${time}`);
  }
});

test("lists the models", async ({ backlot }) => {
  const answer = await backlot.fetch("/v1/models", { headers: { authorization: "Bearer any" } });
  expect(answer.status).toBe(200);
});
