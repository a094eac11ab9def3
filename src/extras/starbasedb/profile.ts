import { loadOnce } from "../../core/http/load-once.ts";
import type { TablesProfile } from "../../core/tables/profiles.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import { unknownMethod } from "./plain-reply.ts";

/** StarbaseDB's interface of November 2024, to the byte. The service turns each request into a SQL statement. */
export const starbasedbProfile: TablesProfile = {
  name: "starbasedb",
  storage: sqliteStorage,
  basePaths: ["/"],
  isAlone: true,
  unknownMethod,
  answers: loadOnce(async () => (await import("./answer.ts")).starbasedbAnswers),
};
