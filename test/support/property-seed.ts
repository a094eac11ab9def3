import { env } from "node:process";
import * as fc from "fast-check";

// Properties try the same values each time, so that a run can be repeated. `PROPERTY_SEED=2 npm test` tries others.
fc.configureGlobal({ seed: Number(env["PROPERTY_SEED"] ?? 1) });
