import * as fc from "fast-check";
import { propertySeed } from "./tries.ts";

// Properties try the same values each time, so that a run can be repeated.
fc.configureGlobal({ seed: propertySeed });
