import type { Call } from "../http/call.ts";
import { andThen, type MaybePromise, once } from "../http/maybe-promise.ts";
import type { Reply } from "../http/reply.ts";
import { type StorageRules, sqliteStorage, strictStorage } from "../store/storage-rules.ts";
import type { WriteResult } from "../store/table.ts";
import { allMethods } from "./document/methods.ts";
import { planRequest } from "./document/plan-request.ts";
import { refuseStranger, respond } from "./document/respond.ts";
import type { FaultManner } from "./fault-manner.ts";
import type { Plan, TablesRequest, WritePlan } from "./plan.ts";
import { answerElsewhere } from "./starbasedb/elsewhere.ts";
import { refuseOtherTokens, unknownMethod } from "./starbasedb/refuse-other-tokens.ts";

/** Which behaviour of the service is reproduced: what each stage does where behaviours differ. */
export interface RestProfile {
  readonly name: "document" | "starbasedb";
  /** What the tables take, and how they keep it. */
  readonly storage: StorageRules;
  /** Where the tables are mounted when nobody says otherwise. */
  readonly basePaths: readonly string[];
  /** With it preflights are answered, and replies are readable by pages of other origins. */
  readonly cors: { readonly methods: readonly string[] } | undefined;
  /** Refuses a call without the token, before anything else of it is looked at. Tokens of null: no call is. */
  readonly refuse: (call: Call, tokens: readonly string[] | null) => Reply | undefined;
  /** Finds out what a call asks for and what that means for its table, or refuses it. */
  readonly plan: (request: TablesRequest) => MaybePromise<Plan>;
  /** Answers a write that was tried. */
  readonly respond: (plan: WritePlan, result: WriteResult) => MaybePromise<Reply>;
  /** The answer to methods that are unknown to HTTP servers, so that no call is made of them. */
  readonly unknownMethod: Reply | undefined;
  /** Answers paths that no interface has, where the tables' service is alone in its place. */
  readonly answerElsewhere: ((path: string) => Reply) | undefined;
  /** What becomes of requests that were planned to fail. Loaded when the first of them comes. */
  readonly faults: () => MaybePromise<FaultManner>;
}

/** The interface as documented: clear and strict. */
export const documentProfile: RestProfile = {
  name: "document",
  storage: strictStorage,
  basePaths: ["/", "/v1"],
  cors: { methods: allMethods },
  refuse: refuseStranger,
  plan: planRequest,
  respond,
  unknownMethod: undefined,
  answerElsewhere: undefined,
  faults: once(async () => (await import("./document/fault-manner.ts")).faultManner),
};

type Statements = typeof import("./starbasedb/statements.ts");

let loadedStatements: MaybePromise<Statements> | undefined;

/** Loaded when it is first needed: nobody else need wait for its 30 modules. Later nobody waits at all. */
function statements(): MaybePromise<Statements> {
  loadedStatements ??= import("./starbasedb/statements.ts").then((loaded) => {
    loadedStatements = loaded;
    return loaded;
  });
  return loadedStatements;
}

/** StarbaseDB's interface of November 2024, to the byte: JavaScript that turns a request into a statement. */
export const starbasedbProfile: RestProfile = {
  name: "starbasedb",
  storage: sqliteStorage,
  basePaths: ["/"],
  cors: undefined,
  refuse: refuseOtherTokens,
  plan: (request) => andThen(statements(), ({ planStatement }) => planStatement(request)),
  respond: (plan, result) =>
    andThen(statements(), ({ respondToStatement }) => respondToStatement(plan, result)),
  unknownMethod,
  answerElsewhere,
  faults: once(async () => (await import("./starbasedb/fault-manner.ts")).faultManner),
};

/** The profiles by name. */
export const restProfiles: ReadonlyMap<string, RestProfile> = new Map(
  [documentProfile, starbasedbProfile].map((profile) => [profile.name, profile]),
);
