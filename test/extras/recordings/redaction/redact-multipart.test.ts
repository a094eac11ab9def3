import { expect, test } from "vitest";
import { binaryBytes } from "../../../../src/core/http/base64.ts";
import {
  type RecordedRequest,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { bodyBytes } from "../../../../src/core/recordings/recorded-body.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { redactExchange } from "../../../../src/extras/recordings/redaction/redact-exchange.ts";
import { requestDifferences } from "../../../../src/extras/recordings/replay/request-differences.ts";

/** A form of fields, between a boundary, with one character per byte. */
function form(fields: Readonly<Record<string, string>>, boundary = "b"): string {
  const parts = Object.entries(fields).map(
    ([name, text]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return `${parts.join("")}--${boundary}--\r\n`;
}

/** The request as it is recorded with an answer of no body. */
function recorded(body: string, rules: Partial<RecordingRules> = {}): RecordedRequest {
  const compiled = compileRules({ ...usualRecordingRules, ...rules });
  const sent = { method: "POST", path: "/files", query: "", headers: {} };
  const { recording } = redactExchange({ ...sent, body: binaryBytes(body) }, compiled, "chat");
  return recording({ status: 200, headers: {}, afterMs: 1 }).request;
}

test("removes the fields of an upload whose names are those of secrets, and nothing else", () => {
  const secret = "x9Kq2mZ7vLw4Tn8R";
  const fields = { password: "k7#mTq", api_key: secret, note: "plain", copy: `see ${secret}` };
  expect(recorded(form(fields)).body).toEqual({
    text: form({
      password: "[password 1]",
      api_key: "[api_key 1]",
      note: "plain",
      copy: "see [api_key 1]",
    }),
  });
  const allow = [{ path: "body.api_key" }];
  expect(recorded(form({ api_key: secret }), { allow }).body).toEqual({
    text: form({ api_key: secret }),
  });
});

test("removes secrets in an upload of bytes, and leaves its bytes", () => {
  const picture = "\u0089PNG\r\n\0\u00ff";
  const { body = { text: "" } } = recorded(form({ picture, api_key: "x9Kq2mZ7vLw4Tn8R" }));
  expect(bodyBytes(body)).toEqual(binaryBytes(form({ picture, api_key: "[api_key 1]" })));
});

test("removes a part at the place of a rule as a whole, and replay accepts any value there", () => {
  const redact = [{ path: "body.name", as: "name" }];
  const request = recorded(form({ name: "Al", to: "Alabama" }), { redact });
  expect(request.body).toEqual({ text: form({ name: "[name 1]", to: "Alabama" }) });
  const rules = compileRules({ ...usualRecordingRules, redact });
  const sent = (fields: Record<string, string>): RecordedRequest => ({
    ...request,
    body: { text: form(fields, "other") },
  });
  const differences = (fields: Record<string, string>): readonly unknown[] => [
    ...requestDifferences(request, sent(fields), rules),
  ];
  expect(differences({ name: "Bo", to: "Alabama" })).toEqual([]);
  expect(differences({ name: "Bo", to: "Ohio" })).toMatchObject([{ at: "body.to" }]);
});
