import { Agent, request } from "node:http";
import { type GivenAnswer, difference } from "./compare-recorded.ts";
import type { RecordedCase, RecordedStep } from "./recordings.ts";
import type { PlainRequest, Service, Transport } from "./transports.ts";

/** The token of the replays. It has a capital letter, since some cases send it in lower case. */
export const replayToken = "Local-Token";

/** What SQLite has and dumps may not have here. Their cases cannot come out right. */
const unsupported: readonly (readonly [
  feature: string,
  isMet: (recorded: RecordedCase) => boolean,
])[] = [
  ["views", ({ steps }) => steps.some(({ path }) => path.startsWith("/rest/v_users"))],
  ["generated columns", ({ steps }) => steps.some(({ path }) => path.startsWith("/rest/gen"))],
  ["STRICT tables", ({ steps }) => steps.some(({ path }) => /^\/rest\/st\b/.test(path))],
  ["CHECK", ({ steps }) => JSON.stringify(steps).includes("CHECK constraint failed")],
];

/** Whether a case is one of features that are there. */
export function isSupported(recorded: RecordedCase): boolean {
  return !unsupported.some(([, isMet]) => isMet(recorded));
}

/** What the recorded service was, and whom it let in. */
export const replaySettings = {
  profiles: { tables: "starbasedb" },
  token: replayToken,
  bodyLimit: 10_000_000,
  // The service asks nobody where they come from.
  cors: { origins: ["*"] },
  hosts: ["*"],
} as const;

type Send = (step: RecordedStep) => Promise<GivenAnswer>;

/** Replays cases, each from the same data, and gives a line for each that is answered differently. */
export async function replay(
  cases: readonly RecordedCase[],
  service: Service,
  transport: Transport,
): Promise<readonly string[]> {
  const given =
    service.inside.play === undefined
      ? await play(cases, service, transport)
      : await service.inside.play(cases.map(({ steps }) => steps.map(plainRequest)));
  return cases.flatMap(({ id, steps }, at) => {
    for (const [place, step] of steps.entries()) {
      const answer = given[at]?.[place];
      const wrong = answer === undefined ? "no answer" : difference(step, answer);
      if (wrong !== undefined) return [`${id}: ${step.method} ${step.path}: ${wrong}`];
    }
    return [];
  });
}

/** Makes the requests of each case in turn, each case from the same data. */
async function play(
  cases: readonly RecordedCase[],
  service: Service,
  transport: Transport,
): Promise<readonly (readonly GivenAnswer[])[]> {
  const send: Send = transport.name === "node" ? sender(service.baseUrl) : fetcher(service.fetch);
  const given: GivenAnswer[][] = [];
  for (const { steps } of cases) {
    await service.inside.reset();
    const answers: GivenAnswer[] = [];
    for (const step of steps) answers.push(await send(step));
    given.push(answers);
  }
  return given;
}

function plainRequest(step: RecordedStep): PlainRequest {
  const { method } = step;
  return { method, path: pathOf(step), headers: headersOf(step), body: bodyOf(step) ?? null };
}

/** Whether a client that has `fetch` can send a case: it takes no TRACE and, from Node 22 on, no upgrade. */
export function isFetchable({ steps }: RecordedCase): boolean {
  return steps.every(
    ({ method, headers = {} }) =>
      method !== "TRACE" && Object.keys(headers).every((name) => name.toLowerCase() !== "upgrade"),
  );
}

function fetcher(fetch: Service["fetch"]): Send {
  return async (step) => {
    const { path, ...init } = plainRequest(step);
    const response = await fetch(path, init);
    const contentType = response.headers.get("content-type");
    return { status: response.status, contentType, text: await response.text() };
  };
}

/** Sends with node:http, which changes nothing of what it is told. */
function sender(baseUrl: string): Send {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(baseUrl);
  return (step) =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(bodyOf(step) ?? "");
      const headers = { ...headersOf(step), "content-length": body.length };
      const options = { hostname, port, agent, method: step.method, path: pathOf(step), headers };
      const sent = request(options, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const { statusCode = 0, headers: received } = response;
          const text = Buffer.concat(parts).toString("utf8");
          resolve({ status: statusCode, contentType: received["content-type"] ?? null, text });
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
}

function pathOf({ path }: RecordedStep): string {
  return withToken(path).split("#", 1)[0] ?? "";
}

function headersOf({ headers = {} }: RecordedStep): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, withToken(value)]),
  );
}

function bodyOf(step: RecordedStep): string | undefined {
  if (step.rawBody !== undefined) return step.rawBody;
  return "body" in step ? JSON.stringify(step.body) : undefined;
}

function withToken(text: string): string {
  return text
    .replaceAll("{TOKEN}", replayToken)
    .replaceAll("{token-lower}", replayToken.toLowerCase());
}
