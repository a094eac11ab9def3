import { loadOnce } from "../http/load-once.ts";
import type { Reply } from "../http/reply.ts";
import { type StorageRules, strictStorage } from "../store/storage-rules.ts";
import type { RestStages } from "./stages.ts";

/** The names of the profiles, whoever registers them. */
export const restProfileNames = ["document", "starbasedb"] as const;

export type RestProfileName = (typeof restProfileNames)[number];

/** Which behaviour of the service is reproduced. */
export interface RestProfile {
  readonly name: RestProfileName;
  /** What the tables take, and how they keep it. */
  readonly storage: StorageRules;
  /** Where the tables are mounted when nobody says otherwise. */
  readonly basePaths: readonly string[];
  /** Whether the tables' service is alone in its place, and so answers paths that no interface has. */
  readonly isAlone: boolean;
  /** The answer to methods that are unknown to HTTP servers, so that no call is made of them. */
  readonly unknownMethod: Reply | undefined;
  /** How requests are answered. Loaded with the first request. */
  readonly stages: () => Promise<RestStages>;
}

/** The interface as documented: clear and strict. */
export const documentProfile: RestProfile = {
  name: "document",
  storage: strictStorage,
  basePaths: ["/", "/v1"],
  isAlone: false,
  unknownMethod: undefined,
  stages: loadOnce(async () => (await import("./document/stages.ts")).documentStages),
};

/** Profiles that a composition root registers. */
export interface OtherProfiles {
  /** Those besides `document`. Their stages are loaded with the first request. */
  readonly tableProfiles?: readonly RestProfile[];
}
