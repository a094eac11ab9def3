import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { queryErrors } from "../../src/core/chat/stored-page.ts";
import { embeddingErrors } from "../../src/extras/embeddings/errors.ts";
import { responsesErrors } from "../../src/extras/responses/errors.ts";
import { ruleErrors } from "../../src/core/chat/request/rule-errors.ts";
import { chatErrors } from "../../src/core/chat/errors.ts";
import { tablesErrorStatuses } from "../../src/core/tables/document/errors.ts";

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
}

/** Status and code pairs of the table below a heading of `docs/errors.md`. */
function documentedCodes(heading: string): string[] {
  const [, section = ""] = read("docs/errors.md").split(`\n## ${heading}\n`);
  const table = section.split("\n\n").find((block) => block.startsWith("| status")) ?? "";
  return table.split("\n").flatMap((row) => {
    const [, statuses = "", codes = ""] = row.split("|");
    const names = [...codes.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
    const numbers = [...statuses.matchAll(/\d+/g)].map(([number]) => number);
    return names.map((name, index) => `${numbers[index] ?? numbers[0]} ${name}`);
  });
}

test("the page of errors lists every error of the tables with its status, and no other", () => {
  const codes = Object.entries(tablesErrorStatuses).map(([code, status]) => `${status} ${code}`);
  expect(documentedCodes("Answered by the tables").toSorted()).toEqual(codes.toSorted());
});

test("the page of errors lists every error of chat with its status, and no other", () => {
  const bounds = { least: 0, most: 2 } as const;
  const whole = { integer: true, least: 0, most: 2 } as const;
  const limit = { model: "atlas", limit: 1, remaining: 0, requested: 1 };
  const errors = [
    chatErrors.noKey(),
    chatErrors.wrongKey("key"),
    chatErrors.unknownPath("GET", "/", []),
    chatErrors.wrongMethod("GET", "/", []),
    chatErrors.unsupportedMediaType("text/plain"),
    chatErrors.bodyTooLarge(1),
    chatErrors.bodyCutShort(),
    chatErrors.notJson("empty"),
    chatErrors.notAnObject(null),
    chatErrors.noModel(),
    chatErrors.missing("model"),
    chatErrors.unknownArguments(["top_k"], []),
    chatErrors.unknownParameter("tools[0].x", "x", []),
    chatErrors.wrongType("model", "a string", 1),
    chatErrors.wrongValue("stream", 2, []),
    chatErrors.wrongForm("tools[0].function.name", "a b", "", ""),
    chatErrors.tooLong("user", { of: "characters", length: 65, most: 64 }),
    chatErrors.tooLong("metadata", { of: "properties", length: 17, most: 16 }),
    chatErrors.onlyWithList("tool_choice", "tools"),
    chatErrors.onlyEnabled("stream_options", "stream"),
    ruleErrors.bothLimits(),
    ruleErrors.badFunctionSchema("tools[0].function.parameters", "f", ""),
    ruleErrors.badAnswerSchema({ param: "response_format", code: null }, "f", ""),
    ruleErrors.noWordJson("completions"),
    ruleErrors.unsupportedParameter("max_tokens"),
    ruleErrors.unsupportedValue("temperature", 0, 1),
    chatErrors.notOffered("tool_choice", "f", [], "tools"),
    chatErrors.toolMessageWithoutCall(0),
    chatErrors.toolCallsWithoutMessages(0, []),
    ...[-1, 3].map((value) => chatErrors.outOfRange("temperature", value, bounds)),
    ...[-1, 3].map((value) => chatErrors.outOfRange("n", value, whole)),
    chatErrors.emptyArray("messages"),
    chatErrors.answerTooLarge(2, 1),
    chatErrors.tooLong("stop", { of: "items", length: 5, most: 4 }),
    chatErrors.unknownModel("atlas", []),
    chatErrors.notAChatModel("atlas-embed", []),
    chatErrors.contextLengthExceeded({ limit: 1, prompt: 1, completion: 1, param: "messages" }),
    chatErrors.rateLimited({ ...limit, kind: "tokens", waitMs: 1 }),
    chatErrors.noScriptMatched("", undefined),
    chatErrors.notRecorded(""),
    chatErrors.templateFailed("weather", ""),
  ];
  const codes = new Set(errors.map(({ status, code }) => `${status} ${code}`));
  expect(documentedCodes("Answered by chat").toSorted()).toEqual([...codes].toSorted());
});

test("the page of errors lists every error of Responses with its status, and no other", () => {
  const errors = [
    responsesErrors.messagesMoved(),
    responsesErrors.unknownArgument(["x"], []),
    responsesErrors.noSuchModel(""),
    responsesErrors.noInput(),
    responsesErrors.exclusive(),
    responsesErrors.noPreviousResponse("x"),
    responsesErrors.noResponse("x"),
    responsesErrors.noConversation("x"),
    responsesErrors.noPrompt("x"),
    responsesErrors.noItem("x"),
    responsesErrors.outputWithoutCall("x"),
    responsesErrors.callWithoutOutput("x"),
    responsesErrors.duplicateItem("x"),
    responsesErrors.wrongIdPrefix("input[0].id", "x", "fc"),
    responsesErrors.toolNotOffered("function"),
    responsesErrors.notInBackground(),
    responsesErrors.notCancellable(),
    ruleErrors.badAnswerSchema(
      { param: "text.format.schema", code: "invalid_json_schema" },
      "f",
      "",
    ),
    queryErrors.notWhole("starting_after", "x"),
    queryErrors.outOfRange("limit", "0", 1, 100),
    queryErrors.wrongOrder("up"),
    queryErrors.noSuchObject("x"),
  ];
  const codes = new Set(errors.map(({ status, code }) => `${status} ${code}`));
  expect(documentedCodes("Answered by Responses").toSorted()).toEqual([...codes].toSorted());
});

test("the page of errors lists every error of embeddings with its status, and no other", () => {
  const errors = [
    embeddingErrors.notAnEmbeddingModel("atlas", []),
    embeddingErrors.invalidInput("it is an object."),
    embeddingErrors.tooManyInputs(2049),
    embeddingErrors.inputTooLong("input", 2, 1),
    embeddingErrors.tooManyTokens(2),
    embeddingErrors.tooManyDimensions(2, 1),
    embeddingErrors.neverShortened("atlas"),
    embeddingErrors.noSuchToken(1),
    embeddingErrors.noEncoding(),
  ];
  const codes = new Set(errors.map(({ status, code }) => `${status} ${code}`));
  expect(documentedCodes("Answered by embeddings").toSorted()).toEqual([...codes].toSorted());
});

test("the page of errors lists every code of EmulatorError, and no other", () => {
  const declared = new Set(read("src/core/errors/emulator-error.ts").match(/"ERR_\w+"/g));
  const documented = read("docs/errors.md").match(/^\| `ERR_\w+`/gm) ?? [];
  expect(documented.map((row) => row.replace(/[| `]/g, "")).toSorted()).toEqual(
    [...declared].map((code) => code.replaceAll('"', "")).toSorted(),
  );
});
