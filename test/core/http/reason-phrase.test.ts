import { STATUS_CODES } from "node:http";
import { expect, test } from "vitest";
import { reasonPhrase } from "../../../src/core/http/reason-phrase.ts";

test("each status of an answer has the text that Node sends with it", () => {
  for (let status = 200; status < 600; status++) {
    expect(reasonPhrase(status), String(status)).toBe(STATUS_CODES[status] ?? "unknown");
  }
});
