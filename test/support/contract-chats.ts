/** A fixed time: 1704067200 seconds. */
export const fixedClock = "2024-01-01T00:00:00Z";

/** Models of both kinds, one with a variant and one whose id needs encoding. */
export const contractModels = [
  { id: "atlas", owned_by: "backlot", created: 1_700_000_000, kind: "chat" },
  {
    id: "atlas-large",
    variant: "atlas-large-2024-05",
    owned_by: "backlot",
    created: 1_714_521_600,
    contextLength: 8192,
    kind: "chat",
  },
  { id: "org/tiny:v1", owned_by: "org", created: 1_700_000_001, kind: "chat" },
  { id: "atlas-embed", owned_by: "backlot", created: 1_700_000_002, kind: "embedding" },
] as const;

/** A request's body with one user message. */
export function asking(user: string, fields: object = {}): object {
  return { model: "atlas", messages: [{ role: "user", content: user }], ...fields };
}

/** The line that all chat scenarios ask. */
export const completions = "POST /v1/chat/completions";
