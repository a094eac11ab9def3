import { expect, test } from "vitest";
import { usualRecordingRules } from "../../../../src/core/recordings/cassette.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { redactExchange } from "../../../../src/extras/recordings/redaction/redact-exchange.ts";
import { ordinaryExchange } from "./ordinary-exchanges.ts";

test("finds nothing in a thousand ordinary exchanges", () => {
  const alarms = Array.from({ length: 1_000 }, (_, number) => {
    const { query, headers, body, answer, isStream } = ordinaryExchange(number);
    const sent = {
      method: "POST",
      path: "/chat/completions",
      query,
      headers,
      body: new TextEncoder().encode(JSON.stringify(body)),
    };
    const { recording, likely } = redactExchange(sent, compileRules(usualRecordingRules), "chat");
    const given = { status: 200, headers, afterMs: 1 };
    const line = `data: ${JSON.stringify(answer)}\n\n`;
    recording(
      isStream
        ? { ...given, stream: [{ atMs: 1, text: line }] }
        : { ...given, body: { json: answer } },
    );
    return [...likely].map(([value, as]) => `${number} ${as} ${value.slice(0, 80)}`);
  });
  expect(alarms.flat()).toEqual([]);
});
