import type { VerifiedRequest, VerifyReport } from "../../extras/recordings/verify/report.ts";
import type { VerifyFlags } from "./verify-options.ts";

const interfaces = [
  { room: "chat", asked: "chat", key: "apiKey", option: "--api-key", from: "OPENAI_API_KEY" },
  { room: "rest", asked: "tables", key: "token", option: "--token", from: "AUTHORIZATION_TOKEN" },
] as const;

/** A line for each interface of which the service refused all that differs: it was the key. */
export function keyAdvice(
  { requests }: VerifyReport,
  flags: Pick<VerifyFlags, "apiKey" | "token">,
): readonly string[] {
  return interfaces.flatMap(({ room, asked, key, option, from }) => {
    const drifted = requests.filter(
      (request) => request.interface === room && request.outcome === "drift",
    );
    const statuses = new Set(drifted.map(refusalOf));
    if (statuses.size === 0 || statuses.has(undefined)) return [];
    const what = `the service refused the requests for ${asked} (${[...statuses].join(", ")})`;
    const todo =
      flags[key] === undefined
        ? `Give its key with ${option}, or in ${from}.`
        : `Look whether its key is right, which came from ${option} or ${from}.`;
    return [`advice: ${what}. ${todo}`];
  });
}

/** The status by which a service refuses a key, where it came in place of another one. */
function refusalOf({ drifts }: VerifiedRequest): string | undefined {
  return drifts.find(
    ({ place, service }) => place === "status" && (service === "401" || service === "403"),
  )?.service;
}
