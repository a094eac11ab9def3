import { loadOnce } from "../http/load-once.ts";
import type { Reply } from "../http/reply.ts";
import { type StorageRules, strictStorage } from "../store/storage-rules.ts";
import type { ProfileAnswers } from "./profile-answers.ts";

/** The names of the profiles, registered or not. */
export const tablesProfileNames = ["document", "starbasedb"] as const;

export type TablesProfileName = (typeof tablesProfileNames)[number];

/** Which behaviour of the service is reproduced. */
export interface TablesProfile {
  readonly name: TablesProfileName;
  /** The storage rules. */
  readonly storage: StorageRules;
  /** Where the tables are mounted by default. */
  readonly basePaths: readonly string[];
  /** Whether the service has only tables, and so answers the paths that no interface has. */
  readonly isAlone: boolean;
  /** The answer to methods that HTTP servers do not know, for which no call is made. */
  readonly unknownMethod: Reply | undefined;
  /** How requests are answered. Loaded with the first request. */
  readonly answers: () => Promise<ProfileAnswers>;
}

/** The interface as documented: clear and strict. */
export const documentProfile: TablesProfile = {
  name: "document",
  storage: strictStorage,
  basePaths: ["/", "/v1"],
  isAlone: false,
  unknownMethod: undefined,
  answers: loadOnce(async () => (await import("./document/answer.ts")).documentAnswers),
};

/** Profiles that a composition root registers. */
export interface OtherProfiles {
  /** Profiles besides `document`. Their answers are loaded with the first request. */
  readonly tableProfiles?: readonly TablesProfile[];
}
