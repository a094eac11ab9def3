/**
 * The names of chat's profiles. For a new one, the compiler asks for its fields, its description, and its object in
 * `profiles.ts`.
 */
export const chatProfileNames = ["document", "openai"] as const;

export type ChatProfileName = (typeof chatProfileNames)[number];
