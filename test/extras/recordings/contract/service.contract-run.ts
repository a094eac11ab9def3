import { describeContract } from "../../../../src/fronts/vitest/contract.ts";
import { verifiedDocument } from "../../../support/verified-fixtures.ts";

/** Run by describe-contract.test.ts, which has a service. */
const { SERVICE_URL = "", WRITES, ONLY } = process.env;

describeContract({
  against: `${SERVICE_URL}/v1`,
  tablesAgainst: `${SERVICE_URL}/rest`,
  apiKey: "any",
  token: "local-token",
  fixtures: await verifiedDocument(),
  writes: WRITES === "1",
  rate: 500,
  ...(ONLY === "contract" ? { only: ONLY } : {}),
});
