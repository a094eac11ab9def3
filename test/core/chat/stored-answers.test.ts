import { expect, test } from "vitest";
import {
  mostStored,
  type StoredAnswer,
  StoredAnswers,
} from "../../../src/core/chat/stored-answers.ts";

function answer(id: string): StoredAnswer {
  return { kind: "response", body: { id }, input: [] };
}

test("beyond the limit the oldest answer is forgotten, and one that is kept again is the newest", () => {
  const answers = new StoredAnswers();
  for (let number = 0; number < mostStored; number++) {
    answers.keep(`resp_${number}`, answer(`resp_${number}`));
  }
  answers.keep("resp_0", answer("resp_0"));
  answers.keep("resp_new", answer("resp_new"));
  expect(answers.list("response")).toHaveLength(mostStored);
  expect(answers.get("response", "resp_1")).toBeUndefined();
  expect(answers.get("response", "resp_0")).toBeDefined();
  expect(answers.get("response", "resp_new")).toBeDefined();
});

test("a fork and a snapshot do not see what is kept or forgotten later", () => {
  const answers = new StoredAnswers();
  answers.keep("resp_1", answer("resp_1"));
  const fork = answers.fork();
  const snapshot = answers.snapshot();
  answers.forget("resp_1");
  fork.keep("resp_2", answer("resp_2"));
  expect(answers.list("response")).toEqual([]);
  expect(fork.list("response").map(({ body }) => body["id"])).toEqual(["resp_1", "resp_2"]);
  answers.restore(snapshot);
  expect(answers.list("response").map(({ body }) => body["id"])).toEqual(["resp_1"]);
});

test("an id is found only by the kind that it has", () => {
  const answers = new StoredAnswers();
  answers.keep("resp_1", answer("resp_1"));
  expect(answers.get("item", "resp_1")).toBeUndefined();
  expect(answers.get("completion", "resp_1")).toBeUndefined();
});
