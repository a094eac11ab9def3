/** An entry of the model list. */
export interface Model {
  readonly id: string;
  /** The more specific id that replies name as their model. */
  readonly variant?: string;
  readonly owned_by: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** Tokens that a request and its reply may have together. */
  readonly contextLength?: number;
  readonly kind: "chat" | "embedding";
}
