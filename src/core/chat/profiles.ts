import { loadOnce } from "../http/load-once.ts";
import type { RequestRules } from "./request/request-rules.ts";

/** The names of the profiles, for flags, config and types. */
export const chatProfileNames = ["document", "openai"] as const;

export type ChatProfileName = (typeof chatProfileNames)[number];

/** How the chat interface behaves where documents and services differ. */
export interface ChatProfile {
  readonly name: ChatProfileName;
  /** The rules for requests. OpenAPI is made from them, too. Loaded on first use. */
  readonly rules: () => Promise<RequestRules>;
  /**
   * Whether the profile has the parts of the service that the documentation leaves out: the Responses API, embeddings,
   * stored completions, and Azure's addresses and key header.
   */
  readonly isWhole: boolean;
  /** Whether completions have every key of the published schema: the service tier, annotations, all counts of usage. */
  readonly answersInFull: boolean;
  /** Whether answers mention Backlot's settings and console, which a real service would not. */
  readonly guides: boolean;
}

/** The interface as documented. Where the documentation is unclear, more is accepted. */
export const documentChatProfile: ChatProfile = {
  name: "document",
  rules: loadOnce(async () => (await import("./request/request-rules.ts")).documentRules),
  isWhole: false,
  answersInFull: false,
  guides: true,
};

/** The interface of the real service, as strict and with the same errors. */
export const openaiProfile: ChatProfile = {
  name: "openai",
  rules: loadOnce(async () => (await import("./request/request-rules.ts")).openaiRules),
  isWhole: true,
  answersInFull: true,
  guides: false,
};

const byName: Readonly<Record<ChatProfileName, ChatProfile>> = {
  document: documentChatProfile,
  openai: openaiProfile,
};

/** The profiles by name. */
export const chatProfiles: ReadonlyMap<string, ChatProfile> = new Map(Object.entries(byName));
