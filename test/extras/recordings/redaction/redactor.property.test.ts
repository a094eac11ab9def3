import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  CassetteSet,
  RecordedAnswer,
  RecordedPart,
  RecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { bodyBytes, recordBody } from "../../../../src/core/recordings/recorded-body.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { redactExchange } from "../../../../src/extras/recordings/redaction/redact-exchange.ts";
import { PlayCounts } from "../../../../src/core/recordings/play-counts.ts";
import { asRecordedRequest } from "../../../../src/extras/recordings/replay/recorded-request.ts";
import { RecordingBook } from "../../../../src/extras/recordings/replay/recording-book.ts";
import type { SentRequest } from "../../../../src/core/recordings/cassette.ts";
import { tries } from "../../../support/tries.ts";

const options = { numRuns: tries(150) };
const encoder = new TextEncoder();

const rules: RecordingRules = {
  volatile: ["body.trace", "query.t"],
  headers: ["x-tenant", "authorization"],
  redact: [
    { path: "body.user", as: "person" },
    { regex: "\\bcard-\\d{4,12}", as: "card" },
  ],
};

/** Keys as services make them, and passwords with whatever can be typed. */
const secret = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...Array.from("abcXYZ019-_/+=")),
    minLength: 8,
    maxLength: 40,
  }),
  fc
    .string({
      unit: fc.constantFrom(...Array.from("aZ09é€ß/+ %&?#{}$!~")),
      minLength: 8,
      maxLength: 20,
    })
    .map((text) => text.trim().padEnd(8, "Q7")),
);

/** The ways in which services repeat what they were sent. */
const spellings: readonly ((secret: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(text).replaceAll(/%../g, (bytes) => bytes.toLowerCase()),
  (text) => new URLSearchParams({ text }).toString().slice(5),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(JSON.stringify({ text })),
  (text) => text.replaceAll("/", "\\/"),
  (text) =>
    text.replaceAll(/[^a-z]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  (text) => base64(text),
  (text) => base64(`u${text}`),
  (text) => base64(`us${text}er`),
  (text) => base64(`user:${text}`).replaceAll("+", "-").replaceAll("/", "_"),
];

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

interface Planted {
  readonly secret: string;
  readonly sent: SentRequest;
  readonly answer: RecordedAnswer;
}

const noise = fc.string({ unit: "grapheme", maxLength: 12 });

/** A text with a secret in it, in one of its spellings. */
const around = fc.tuple(noise, fc.constantFrom(...spellings), noise).map(
  ([before, spell, after]) =>
    (own: string) =>
      `${before} ${spell(own)} ${after}`,
);

function partsOf(text: string, cuts: readonly number[]): RecordedPart[] {
  const bytes = encoder.encode(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return ends.map((end, index) => {
    const body = recordBody(bytes.subarray(ends[index - 1] ?? 0, end));
    return "base64" in body
      ? { atMs: index, base64: body.base64 }
      : { atMs: index, text: new TextDecoder().decode(bodyBytes(body)) };
  });
}

/** An exchange in which any secret can be planted. */
const plan: fc.Arbitrary<(own: string) => Planted> = fc
  .record({
    where: fc.constantFrom("bearer", "basic", "cookie", "query", "x-api-key"),
    texts: fc.tuple(around, around, around, around),
    json: fc.boolean(),
    cuts: fc.array(fc.nat(), { maxLength: 5 }),
    deltas: fc.array(fc.nat(), { maxLength: 3 }),
  })
  .map(({ where: place, texts, json, cuts, deltas }) => (own) => {
    const [one, two, three, four] = [texts[0](own), texts[1](own), texts[2](own), texts[3](own)];
    return {
      secret: own,
      sent: {
        method: "POST",
        path: `/a/${encodeURIComponent(one)}`,
        query:
          place === "query"
            ? `n=1&api_key=${encodeURIComponent(own)}`
            : `q=${encodeURIComponent(two)}`,
        headers: { "x-tenant": "acme", ...headersWith(own, place) },
        body: encoder.encode(
          json ? JSON.stringify({ a: [two], [three]: 1, user: one }) : `${two}\n${three}`,
        ),
      },
      answer: {
        status: 200,
        headers: {
          "content-type": json ? "application/json" : "text/event-stream",
          "x-echo": Buffer.from(four, "utf8").toString("latin1"),
        },
        afterMs: 1,
        ...(json
          ? { body: recordBody(encoder.encode(JSON.stringify({ [one]: two }, null, 2))) }
          : {
              stream: partsOf(
                eventsOf(own, deltas) + `: ${three.replaceAll(/\s/g, " ")}\n\n`,
                cuts,
              ),
            }),
      },
    };
  });

const planted = fc.tuple(plan, secret).map(([plant, own]) => plant(own));

function headersWith(own: string, place: string): Record<string, string> {
  if (place === "bearer") return { authorization: `Bearer ${own}` };
  if (place === "basic") return { authorization: `Basic ${base64(`me:${own}`)}` };
  if (place === "cookie") return { cookie: `a=1; sid=${encodeURIComponent(own)}` };
  return place === "x-api-key" ? { "x-api-key": own } : {};
}

function eventsOf(own: string, deltas: readonly number[]): string {
  const said = Array.from(`say ${own} now`);
  const ends = [...deltas.map((cut) => cut % said.length), said.length].toSorted((a, b) => a - b);
  return ends
    .map((end, index) => said.slice(ends[index - 1] ?? 0, end).join(""))
    .map(
      (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
    )
    .join("");
}

/** The parts of base64 that do not depend on what stands around, worked out by trying. */
function base64Parts(text: string): string[] {
  return ["", "x", "xy"].map((before) => {
    const made = ["\0\0\0", "\xFF\xFF\xFF"].map((filler) =>
      Buffer.concat([
        Buffer.from(filler.slice(0, before.length), "latin1"),
        Buffer.from(text),
        Buffer.from(filler, "latin1"),
      ]).toString("base64"),
    );
    const [low = "", high = ""] = made;
    const same = Array.from(low).map((unit, index) => (unit === high[index] ? unit : " "));
    return same.join("").trim().split(" ")[0] ?? "";
  });
}

function isWritten(file: string, own: string): boolean {
  const bytes = Buffer.from(file, "utf8");
  const spelled = [...spellings.slice(0, 8).map((spell) => spell(own)), ...base64Parts(own)];
  return spelled.some(
    (text) => bytes.includes(text) || bytes.includes(JSON.stringify(text).slice(1, -1)),
  );
}

function textOfParts(answer: RecordedAnswer): string {
  const { stream = [] } = answer;
  const bytes = stream.map((part) =>
    "text" in part ? Buffer.from(part.text) : Buffer.from(part.base64, "base64"),
  );
  return Buffer.concat(bytes).toString("utf8");
}

test("writes a planted secret in no place and in no spelling", () => {
  fc.assert(
    fc.property(planted, ({ secret: own, sent, answer }) => {
      const recording = redactExchange(sent, compileRules(rules), "chat").recording(answer);
      expect(isWritten(JSON.stringify(recording, null, 2), own)).toBe(false);
      const said = textOfParts(recording.answer);
      expect(isWritten(said, own)).toBe(false);
      const joined = [...said.matchAll(/^data: (.*)$/gm)].map(
        ([, data = ""]) => JSON.parse(data).choices[0].delta.content,
      );
      expect(joined.join("")).not.toContain(own);
      expect(recording.answer.stream?.map(({ atMs }) => atMs)).toEqual(
        answer.stream?.map(({ atMs }) => atMs),
      );
    }),
    options,
  );
});

test("replay finds what was recorded, sent with the same secret and with another one", () => {
  fc.assert(
    fc.property(plan, secret, (plant, own) => {
      const { sent, answer } = plant(own);
      const recording = redactExchange(sent, compileRules(rules), "chat").recording(answer);
      const cassette = {
        name: "a",
        interface: "chat",
        upstream: "",
        recordings: [recording],
      } as const;
      const file: CassetteSet = { cassettes: [JSON.parse(JSON.stringify(cassette))], rules };
      const book = new RecordingBook(file, "chat");
      // Another one of as many bytes: base64 has them in groups of three.
      const other = /^\p{ASCII}*$/u.test(own) ? Array.from(own).toReversed().join("") : own;
      for (const again of [sent, plant(other).sent]) {
        const request = asRecordedRequest(again, book.rules);
        expect(book.next(request, new PlayCounts())?.index).toBe(0);
        const changed = { ...request, query: `${request.query}&more` };
        expect(book.next(changed, new PlayCounts())).toBeUndefined();
      }
    }),
    options,
  );
});

test("changes nothing in an exchange that is redacted", () => {
  fc.assert(
    fc.property(planted, ({ sent, answer }) => {
      const once = redactExchange(sent, compileRules(rules), "chat").recording(answer);
      const { request } = once;
      const resent = {
        method: request.method,
        path: request.path,
        query: request.query ?? "",
        headers: request.headers ?? {},
        body: request.body === undefined ? undefined : bodyBytes(request.body),
      };
      expect(redactExchange(resent, compileRules(rules), "chat").recording(once.answer)).toEqual(
        once,
      );
    }),
    options,
  );
});

test("changes nothing where there is nothing secret", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.nat(), { maxLength: 4 }), (value, cuts) => {
      const text = JSON.stringify(value);
      const body = encoder.encode(text);
      const sent = {
        method: "POST",
        path: "/a",
        query: "a=b",
        headers: { authorization: "Bearer Zk4-Zk4-Zk4" },
        body,
      };
      const answer = { status: 200, headers: {}, afterMs: 1, stream: partsOf(text, cuts) };
      const { recording } = redactExchange(sent, compileRules({ ...rules, redact: [] }), "chat");
      expect(bodyBytes(recording(answer).request.body ?? { text: "" }).length).toBeGreaterThan(0);
      expect(recording(answer).answer).toEqual(answer);
    }),
    options,
  );
});
